"""Gaussian noise that is correlated between the steps of a stream: trees and other strategies."""
