"""The theorem book: its entries verified, shown and summed up, and the rules of the package that
rest on them.
"""
