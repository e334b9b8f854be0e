/** A figure in the plane. */
public interface Shape {
    double area();
}
