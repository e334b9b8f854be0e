import unittest

from durations import format_duration, parse_duration


class Hidden(unittest.TestCase):
    def test_sums(self):
        self.assertEqual(parse_duration("2d 3h 4m 5s"), 183845)
        self.assertEqual(parse_duration("10m5s"), 605)
        self.assertEqual(parse_duration("0s"), 0)

    def test_nonsense(self):
        for text in ("", "soon", "5", "5x", "1h and 3m", "h", "-5m"):
            with self.assertRaises(ValueError, msg=text):
                parse_duration(text)

    def test_round_trip(self):
        for seconds in (0, 1, 59, 60, 3601, 86400, 90061):
            self.assertEqual(parse_duration(format_duration(seconds)), seconds)
