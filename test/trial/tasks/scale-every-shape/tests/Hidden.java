import java.util.List;

public final class Hidden {
    private static void near(double actual, double expected) {
        if (Math.abs(actual - expected) > 1e-9) throw new AssertionError(actual + " for " + expected);
    }

    public static void main(String[] arguments) {
        List<Shape> all = List.of(new Circle(1), new Rectangle(2, 3), new Square(4), new Triangle(5, 6));
        for (Shape shape : all) {
            Shape scaled = shape.scaled(3);
            near(scaled.area(), shape.area() * 9);
            near(shape.scaled(0.5).scaled(2).area(), shape.area());
            if (scaled.getClass() != shape.getClass() || scaled == shape) throw new AssertionError("another class");
        }
        near(new Drawing(all).area(), Math.PI + 6 + 16 + 15);
    }
}
