//! Intervals of whole numbers, both ends included.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub from: i32,
    pub to: i32,
}

/// Joins intervals that overlap or touch, and returns them in order.
pub fn merge(mut all: Vec<Interval>) -> Vec<Interval> {
    all.sort_by_key(|one| one.from);
    let mut merged: Vec<Interval> = Vec::new();
    for one in all {
        match merged.last_mut() {
            Some(last) if one.from < last.to => last.to = one.to,
            _ => merged.push(one),
        }
    }
    merged
}
