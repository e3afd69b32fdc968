"""The language of plans, guarantees and numbers: text is read into a small tree, and the names and
numbers of the tree get their meaning.
"""
