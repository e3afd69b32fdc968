"""The tag that ties a formula of this package to the theorem it rests on."""

from rdpacct.provenance import Rule as Rule
from rdpacct.provenance import by as by
from rdpacct.provenance import rules as rules
