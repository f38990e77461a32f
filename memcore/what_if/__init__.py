"""What another setting would have given: recomputed, compared, flipped and swept."""
