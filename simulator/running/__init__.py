"""Programs: from their text to a Recording. How a file is run, watched, stopped and summed up."""
