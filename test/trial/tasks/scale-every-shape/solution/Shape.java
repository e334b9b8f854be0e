/** A figure in the plane. */
public interface Shape {
    double area();

    /** Returns the same figure, each of its lengths times the factor. */
    Shape scaled(double factor);
}
