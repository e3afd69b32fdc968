"""The commands, one file each; the name of the file is that of the command."""
