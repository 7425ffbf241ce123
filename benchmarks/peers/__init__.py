"""What the service is measured against: the same model behind other fronts, and no front at all."""
