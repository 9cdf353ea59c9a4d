"""The page on transfer: a pre-trained model put to work."""
