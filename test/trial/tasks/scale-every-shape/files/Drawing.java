import java.util.List;

public final class Drawing {
    private final List<Shape> shapes;

    public Drawing(List<Shape> shapes) {
        this.shapes = List.copyOf(shapes);
    }

    public double area() {
        return shapes.stream().mapToDouble(Shape::area).sum();
    }
}
