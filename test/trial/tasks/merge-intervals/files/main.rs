mod intervals;

use intervals::{merge, Interval};

fn main() {
    println!("{:?}", merge(vec![Interval { from: 1, to: 3 }, Interval { from: 2, to: 5 }]));
}
