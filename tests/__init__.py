"""Tests of the library, in the folders of the rooms they test."""
