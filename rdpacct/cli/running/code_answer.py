"""What an audit of running code answers: text, JSON, files, and the exit code."""

import sys
from argparse import Namespace
from dataclasses import dataclass

from rdpacct.arrays import load
from rdpacct.auditing import Outcome
from rdpacct.auditing.running import CodeVerdict
from rdpacct.cli.answer import FAILS, JSON, UNDECIDED, Answer, write
from rdpacct.cli.certificates import write_certificate
from rdpacct.cli.failure import INTERRUPTED
from rdpacct.cli.files import ending, writable, write_file
from rdpacct.cli.running.code_audits import AuditSettings, DoneAudit
from rdpacct.cli.running.input_pairs import AuditInputs
from rdpacct.exact.number import decimal_text


@dataclass(frozen=True)
class AuditedCode:
    """All audits of a command line that were run, of those that were planned."""

    settings: AuditSettings
    inputs: AuditInputs
    planned: int
    done: tuple[DoneAudit, ...]

    @property
    def refuted(self) -> tuple[DoneAudit, ...]:
        """The audits that refute their claim."""
        return tuple(each for each in self.done if each.verdict.fails)

    @property
    def interrupted(self) -> bool:
        """Whether the last audit was."""
        return bool(self.done[-1].verdict.interrupted)

    @property
    def code(self) -> int:
        """The exit code: a refutation stands, whatever came after it."""
        if self.refuted:
            return FAILS
        return INTERRUPTED if self.interrupted else UNDECIDED


FILES = {
    "certificate": (".json",),
    "page": (".html", ".htm"),
    "picture": (".svg", ".png"),
}
"""The options that name a file, and how it ends."""

NOTHING = {
    "certificate": "no claim is refuted",
    "picture": "no event was tested",
}


def check_files(options: Namespace) -> None:
    """Refuse files that cannot be written, before the first trial."""
    for name, endings in FILES.items():
        file = getattr(options, name)
        if file is not None:
            ending(file, endings)
            writable(file, f"--{name}")


def code_answer(audited: AuditedCode, options: Namespace) -> Answer:
    """The answer; files are written, and an interrupt is told on the error output."""
    files = _written(audited, options)
    if audited.interrupted:
        write(f"rdpacct: {_interruption(audited)}.", sys.stderr)
    return CodeAnswer(audited, files)


class CodeAnswer(Answer):
    """What the audits say; limits for the chances of all events are worked out for --json only."""

    def __init__(self, audited: AuditedCode, files: dict[str, str | None]) -> None:
        self.code = audited.code
        self.audited = audited
        self.files = files

    @property
    def data(self) -> JSON:
        return {**_data(self.audited), "files": self.files}

    @property
    def text(self) -> str:
        written = [_file_line(*each) for each in self.files.items()]
        return "\n".join([*_lines(self.audited), *written])


def _interruption(audited: AuditedCode) -> str:
    trials = audited.done[-1].verdict.trials
    clause = "which refute no claim"
    if audited.refuted:
        clause = "but the claims that were refuted before stay so"
    return f"interrupted after {trials} of {audited.settings.trials} trials, {clause}"


def _written(audited: AuditedCode, options: Namespace) -> dict[str, str | None]:
    """The files that were asked for; None for one that there is nothing to write into."""
    files: dict[str, str | None] = {}
    if options.certificate is not None:
        files["certificate"] = options.certificate if audited.refuted else None
        for refuted in audited.refuted[:1]:
            write_certificate(options.certificate, refuted.verdict.certificate())
    if options.page is not None:
        write_file(options.page, _page(audited), "--page")
        files["page"] = options.page
    if options.picture is not None:
        seen = [
            each for each in (*audited.refuted, *audited.done) if each.verdict.events
        ]
        files["picture"] = options.picture if seen else None
        for each in seen[:1]:
            picture = _picture(each.verdict, options.picture)
            write_file(options.picture, picture, "--picture")
    return files


def _page(audited: AuditedCode) -> str:
    from rdpacct.report.audit_page import AuditPage, AuditSection

    sections = [
        AuditSection(each.verdict, each.planned.pair.name) for each in audited.done
    ]
    title = f"Audit of {audited.settings.function}"
    return AuditPage(tuple(sections), title, _record(audited)).html()


def _record(audited: AuditedCode) -> dict[str, str]:
    settings = audited.settings
    stated = audited.inputs.relation
    return {
        "Function": str(settings.function),
        "Inputs": audited.inputs.file,
        "SHA-256 of the inputs": audited.inputs.sha256,
        "Relation": "not stated" if stated is None else f"{stated}, as the file states",
        "Confidence": decimal_text(settings.confidence),
        "Trials at most": str(settings.trials),
        "Seed": str(settings.seed),
        "Audits": f"{len(audited.done)} of {audited.planned}",
        "NumPy": str(load().__version__),
    }


def _picture(verdict: CodeVerdict, file: str) -> str | bytes:
    from rdpacct.report.observed_picture import is_rare, observed_png, observed_svg

    logarithmic = is_rare(verdict)
    if ending(file, FILES["picture"]) == ".png":
        return observed_png(verdict, logarithmic)
    return observed_svg(verdict, "audit", logarithmic)


def _file_line(kind: str, file: str | None) -> str:
    if file is None:
        return f"no {kind} is written: {NOTHING[kind]}"
    return f"the {kind} is in {file}"


def _data(audited: AuditedCode) -> JSON:
    settings = audited.settings
    relation = audited.inputs.relation
    return {
        "verdict": (Outcome.FAILS if audited.refuted else Outcome.UNDECIDED).value,
        "function": str(settings.function),
        "inputs": audited.inputs.file,
        "sha256": audited.inputs.sha256,
        "relation": None if relation is None else relation.value,
        "confidence": decimal_text(settings.confidence),
        "trials": settings.trials,
        "seed": settings.seed,
        "method": settings.method,
        "interrupted": audited.interrupted,
        "planned": audited.planned,
        "audits": [_audit(each) for each in audited.done],
        "exit": audited.code,
    }


def _audit(each: DoneAudit) -> JSON:
    return {"pair": each.planned.pair.name, **each.verdict.as_json()}


def _lines(audited: AuditedCode) -> list[str]:
    settings = audited.settings
    lines = []
    for each in audited.done:
        lines.append(str(each.verdict))
        if each.planned.pair.name:
            lines.append(f"  inputs: {each.planned.pair.name}")
    if audited.planned > 1:
        lines.append(_summary(audited))
    stated = audited.inputs.relation
    relation = "" if stated is None else f", which are said to be {stated} neighbors"
    return [
        *lines,
        f"for {settings.function} on the inputs of {audited.inputs.file}{relation}",
        f"  method {settings.method}, at most {settings.trials} trials, seed"
        f" {settings.seed}, confidence {decimal_text(settings.confidence)}",
    ]


def _summary(audited: AuditedCode) -> str:
    refuted = len(audited.refuted)
    others = len(audited.done) - refuted
    left = audited.planned - len(audited.done)
    return (
        f"audits: {audited.planned}; {refuted} refuted, {others} consistent, {left} not"
        " run; together they refute a true claim with probability at most"
        f" {decimal_text(1 - audited.settings.confidence)}"
    )
