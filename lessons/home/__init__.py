"""What Home shows: the timeline."""
