"""The picture “Another order”: which readers notice that the words were shuffled."""
