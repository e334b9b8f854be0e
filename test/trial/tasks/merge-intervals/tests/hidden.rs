mod intervals;

use intervals::{merge, Interval};

fn merged(pairs: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let all = pairs.iter().map(|&(from, to)| Interval { from, to }).collect();
    merge(all).into_iter().map(|one| (one.from, one.to)).collect()
}

#[test]
fn joins() {
    assert_eq!(merged(&[(1, 3), (2, 5)]), [(1, 5)]);
    assert_eq!(merged(&[(1, 9), (2, 3)]), [(1, 9)]);
    assert_eq!(merged(&[(4, 6), (1, 3)]), [(1, 6)]);
    assert_eq!(merged(&[(1, 3), (3, 4)]), [(1, 4)]);
    assert_eq!(merged(&[(1, 2), (4, 5)]), [(1, 2), (4, 5)]);
    assert_eq!(merged(&[(1, 10), (2, 3), (5, 6), (11, 12)]), [(1, 12)]);
    assert_eq!(merged(&[]), []);
}
