"""Normal forms: expressions as quotients in the ring, with every sign that is needed looked up,
    never guessed.

At a point all signs come from balls; on an open piece they come from facts that were proved before.
"""

from fractions import Fraction

from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.language import Expression
from rdpacct.proof.check.ring import Poly, Ratio, first_monomial, turn_of
from rdpacct.proof.check.signs import Signs, Undefined, sign_of, split
from rdpacct.proof.check.slots import (
    PI,
    TURNS,
    Number,
    Slot,
    erfc_slot,
    exp_slot,
    log_slot,
    prime_slot,
    root_slot,
    size,
    variable_slot,
    whole,
)
from rdpacct.proof.check.terms import MAX_BITS

MAX_DEGREE = 24


def _primes(value: int) -> list[tuple[int, int]]:
    """The factors of a positive integer below 1000, and what is left as one factor."""
    factors = []
    EFFORT.spend(5 if value < 4 else 60 + value.bit_length() // 4)
    for prime in range(2, 1000):
        if value == 1:
            break
        count = 0
        while value % prime == 0:
            value = value // prime
            count = count + 1
        if count:
            factors.append((prime, count))
    return [*factors, (value, 1)] if value > 1 else factors


def log_of(argument: Ratio, signs: Signs) -> Ratio:
    """The logarithm, split over the factors of its argument, each of which is positive."""
    if argument.top.zero():
        raise Undefined("log of zero")
    coefficient, unit, factors = split(argument.top, signs)
    if coefficient < 0:
        raise Undefined("log of a negative number")
    total = Ratio(Poly({}))
    for sign, number in ((1, coefficient.numerator), (-1, coefficient.denominator)):
        for prime, count in _primes(number):
            total = total + Ratio(
                Poly.slot(log_slot(Poly.number(prime))).scaled(sign * count)
            )
    for slot, exponent in unit:
        total = total + _log_of_slot(slot).scaled(exponent)
    for factor, count in [*factors, *((q, -k) for q, k in argument.bottom.items())]:
        total = total + Ratio(Poly.slot(log_slot(factor)).scaled(count))
    return total


def _log_of_slot(slot: Slot) -> Ratio:
    if slot.kind == "exp":
        return slot.ratio
    if slot.kind == "root":
        return Ratio(
            Poly.slot(log_slot(slot.polynomial)).scaled(Fraction(1, slot.degree))
        )
    if slot.kind == "prime":
        parts = [
            Poly.slot(log_slot(Poly.number(p))).scaled(k)
            for p, k in _primes(slot.number)
        ]
        return Ratio(sum(parts[1:], parts[0]))
    return Ratio(Poly.slot(log_slot(Poly.slot(slot))))


def inverse_of(argument: Ratio, signs: Signs) -> Ratio:
    """One over a quotient whose numerator has a known sign."""
    if argument.top.zero():
        raise Undefined("division by zero")
    coefficient, unit, factors = split(argument.top, signs)
    result = Ratio(Poly.number(whole(1 / Fraction(coefficient))))
    for slot, exponent in unit:
        result = result * _slot_power(slot, -exponent, signs)
    for factor, count in factors:
        result = result * Ratio(Poly.number(1), {factor: count})
    for factor, count in argument.bottom.items():
        result = result * Ratio(factor.power(count))
    return result


def _slot_power(slot: Slot, exponent: Number, signs: Signs) -> Ratio:
    """A rational power of a positive slot."""
    if slot.kind == "exp":
        return exp_of(slot.ratio.scaled(exponent), signs)
    if slot.kind == "root":
        return _factor_power(slot.polynomial, Fraction(exponent) / slot.degree)
    if slot.kind == "prime":
        return _number_power(slot.number, exponent)
    if slot.kind == "erfc" and exponent.denominator != 1:
        return _factor_power(Poly.slot(slot), exponent)
    if exponent:
        return Ratio(Poly.slot(slot, exponent))
    return Ratio(Poly.number(1))


def _number_power(number: int, exponent: Number) -> Ratio:
    top = Poly.number(1)
    for prime, count in _primes(number):
        steps = exponent * count // 1
        rest = exponent * count - steps
        if abs(steps) * prime.bit_length() > 2 * MAX_BITS:
            raise Rejected("a power of a number is too large.")
        top = top.scaled(Fraction(prime) ** steps)
        top = top * Poly.slot(prime_slot(prime), rest) if rest else top
    return Ratio(top)


def _factor_power(factor: Poly, exponent: Number) -> Ratio:
    """A rational power of a positive polynomial; of a high degree it is kept as an exponential of a
    logarithm.
    """
    steps = exponent.numerator // exponent.denominator
    rest = exponent - steps
    result = (
        Ratio(factor.power(steps))
        if steps >= 0
        else Ratio(Poly.number(1), {factor: -steps})
    )
    if not rest:
        return result
    if rest.denominator > MAX_DEGREE:
        return result * Ratio(
            Poly.slot(exp_slot(Ratio(Poly.slot(log_slot(factor)).scaled(rest))))
        )
    return result * Ratio(
        Poly.slot(root_slot(factor, rest.denominator), rest.numerator)
    )


def power_of(base: Ratio, exponent: Number, signs: Signs) -> Ratio:
    """A rational power: of anything if the exponent is a natural number, otherwise of a base with a
    known sign.
    """
    if exponent.denominator == 1 and exponent >= 0:
        if len(base.top.terms) == 1 and not base.bottom and exponent > 1:
            base.top.check_size(int(exponent))
            half = power_of(base, exponent // 2, signs)
            return half * half * (base if exponent % 2 else Ratio(Poly.number(1)))
        return Ratio(
            base.top.power(int(exponent)),
            {q: k * int(exponent) for q, k in base.bottom.items()},
        )
    if exponent.denominator == 1:
        return power_of(inverse_of(base, signs), -exponent, signs)
    if base.top.zero():
        if exponent < 0:
            raise Undefined("zero to a negative power")
        return base
    coefficient, unit, factors = split(base.top, signs)
    if coefficient < 0:
        raise Undefined("a fractional power of a negative number")
    result = _number_power(coefficient.numerator, exponent) * _number_power(
        coefficient.denominator, -exponent
    )
    for slot, k in unit:
        result = result * _slot_power(slot, k * exponent, signs)
    for factor, count in [*factors, *((q, -k) for q, k in base.bottom.items())]:
        result = result * _factor_power(factor, exponent * count)
    return result


def exp_of(argument: Ratio, signs: Signs) -> Ratio:
    """The exponential; rational multiples of logarithms in the argument become powers."""
    result = Ratio(Poly.number(1))
    rest = argument
    if not argument.bottom:
        for monomial, coefficient in argument.top.terms.items():
            if (
                len(monomial) == 1
                and monomial[0][0].kind == "log"
                and monomial[0][1] == 1
            ):
                result = result * power_of(
                    Ratio(monomial[0][0].polynomial), coefficient, signs
                )
                rest = rest - Ratio(Poly({monomial: coefficient}))
    if rest.top.zero():
        return result
    return result * Ratio(Poly.slot(exp_slot(rest)))


def erfc_of(argument: Ratio) -> Ratio:
    """The complementary error function; erfc(-u) is 2 - erfc(u)."""
    if argument.bottom:
        raise Rejected("erfc of a quotient is not supported.")
    if argument.top.zero():
        return Ratio(Poly.number(1))
    first = first_monomial(argument.top.terms)
    if argument.top.terms[first] < 0:
        return Ratio(Poly.number(2) - Poly.slot(erfc_slot(argument.top.scaled(-1))))
    return Ratio(Poly.slot(erfc_slot(argument.top)))


def weak_sign(value: Ratio, signs: Signs) -> int:
    """The sign of a quotient, where at zero either answer is right."""
    return sign_of(value.top, signs, strict=False)


def normal(tree: Expression, signs: Signs) -> Ratio:
    """The normal form of an expression on the piece."""
    EFFORT.spend(3)
    head = tree[0]
    if head == "number":
        return Ratio(Poly.number(tree[1]))
    if head == "variable":
        return Ratio(Poly.slot(variable_slot(tree[1])))
    if head == "pi":
        return Ratio(Poly.slot(PI))
    return apply(head, [normal(part, signs) for part in tree[1:]], signs)


def apply(head: str, parts: list[Ratio], signs: Signs) -> Ratio:
    """The value of an operation or function on normal forms."""
    first = parts[0]
    last = parts[-1]
    if head in ("erf", "tanh"):
        return _from_one(head, first, signs)
    EFFORT.spend(2)
    match head:
        case "+":
            return first + last
        case "-":
            return first - last
        case "negative":
            return first.scaled(-1)
        case "*":
            return first * last
        case "/":
            return first * inverse_of(last, signs)
        case "**":
            value = last.top.constant() if not last.bottom else None
            if value is None:
                return real_power(first, last, signs)
            return _rational_power(first, value, signs)
        case "power":
            return real_power(first, last, signs)
        case "exp":
            return exp_of(first, signs)
        case "log":
            return log_of(first, signs)
        case "sqrt":
            return power_of(first, Fraction(1, 2), signs)
        case "cbrt":
            sign = sign_of(first.top, signs)
            if sign:
                return power_of(first.scaled(sign), Fraction(1, 3), signs).scaled(sign)
            return first
        case "abs":
            return first.scaled(weak_sign(first, signs))
        case "min" | "max":
            larger_first = weak_sign(first - last, signs) >= 0
            if larger_first == (head == "max"):
                return first
            return last
        case "cos" | "sin":
            return Ratio(turn_of(head, first))
        case "erfc":
            return erfc_of(first)
        case "sinh" | "cosh":
            up = exp_of(first, signs)
            down = exp_of(first.scaled(-1), signs)
            return (up - down if head == "sinh" else up + down).scaled(Fraction(1, 2))
    raise Rejected(f"the operation {head!r} is unknown.")


def _from_one(head: str, argument: Ratio, signs: Signs) -> Ratio:
    """erf or tanh, which are 1 less something."""
    one = Ratio(Poly.number(1))
    if head == "erf":
        return one - erfc_of(argument)
    below = exp_of(argument.scaled(2), signs) + one
    return one - inverse_of(below, signs).scaled(2)


def _rational_power(base: Ratio, exponent: Number, signs: Signs) -> Ratio:
    if size(exponent) > 1000:
        raise Rejected("an exponent is larger than 1000.")
    return power_of(base, exponent, signs)


def real_power(base: Ratio, exponent: Ratio, signs: Signs) -> Ratio:
    """A power that is defined for positive bases only, whatever the exponent turns out to be."""
    if sign_of(base.top, signs) <= 0:
        raise Undefined(
            "a base that is not positive, under an exponent that is not rational"
        )
    return exp_of(exponent * log_of(base, signs), signs)


def substitute(poly: Poly, name: str, value: Ratio, signs: Signs) -> Ratio:
    """The polynomial with a variable replaced, normalized with the signs of the new piece."""
    images: dict[Slot, Ratio] = {}

    def image(slot: Slot) -> Ratio:
        if slot.kind == "variable" and slot.text == name:
            return value
        if slot.kind in ("variable", "pi", "prime"):
            if slot.kind != "prime":
                return Ratio(Poly.slot(slot))
            return normal(("number", slot.number), signs)
        if slot.kind == "exp":
            return exp_of(within(slot.ratio), signs)
        if slot.kind in TURNS:
            return Ratio(turn_of(slot.kind, within(slot.ratio)))
        inner = substitute(slot.polynomial, name, value, signs)
        if slot.kind == "log":
            return log_of(inner, signs)
        if slot.kind == "erfc":
            return erfc_of(inner)
        return power_of(inner, Fraction(1, slot.degree), signs)

    def within(ratio: Ratio) -> Ratio:
        result = substitute(ratio.top, name, value, signs)
        for factor, exponent in ratio.bottom.items():
            below = substitute(factor, name, value, signs)
            result = result * power_of(below, -exponent, signs)
        return result

    total = Ratio(Poly({}))
    for monomial, coefficient in poly.terms.items():
        term = Ratio(Poly.number(coefficient))
        for slot, exponent in monomial:
            if slot not in images:
                images[slot] = image(slot)
            term = term * power_of(images[slot], exponent, signs)
        total = total + term
    return total
