import unittest

from durations import format_duration, parse_duration


class Durations(unittest.TestCase):
    def test_one_unit(self):
        self.assertEqual(parse_duration("90s"), 90)

    def test_several_units(self):
        self.assertEqual(parse_duration("1h 30m"), 5400)

    def test_nonsense(self):
        with self.assertRaises(ValueError):
            parse_duration("soon")

    def test_format(self):
        self.assertEqual(format_duration(5400), "1h 30m")


if __name__ == "__main__":
    unittest.main()
