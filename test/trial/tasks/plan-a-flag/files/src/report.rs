use std::collections::BTreeMap;

pub fn render(counts: &BTreeMap<String, usize>) -> String {
    counts.iter().map(|(word, count)| format!("{word}: {count}\n")).collect()
}
