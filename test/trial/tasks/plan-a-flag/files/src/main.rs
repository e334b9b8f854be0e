mod counter;
mod report;

fn main() {
    let text = std::fs::read_to_string("input.txt").expect("input.txt");
    println!("{}", report::render(&counter::count(&text)));
}
