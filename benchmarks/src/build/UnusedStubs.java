// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;

/**
 * Writes a class for some JDBC interfaces of which nothing works: its subclasses say what their cycle needs. Classes and no
 * reflection proxies, because a proxy's own cost would be measured with them. Run by the build with the output folder; it
 * needs nothing but a JDK.
 */
final class UnusedStubs {
    private static final String PACKAGE = "io.flexpool.benchmarks.stub";

    private UnusedStubs() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        write(folder, "UnusedConnection", Connection.class);
        write(folder, "UnusedMetaData", DatabaseMetaData.class);
        write(folder, "UnusedPreparedStatement", PreparedStatement.class);
        write(folder, "UnusedResultSet", ResultSet.class);
    }

    private static void write(Path folder, String name, Class<?> type) throws IOException {
        StringBuilder text = new StringBuilder()
                .append("package ")
                .append(PACKAGE)
                .append(";\n\n")
                .append("/** A {@link ")
                .append(type.getName())
                .append("} of which nothing works. */\n")
                .append("@javax.annotation.processing.Generated(\"UnusedStubs\")\n")
                .append("@org.jspecify.annotations.NullUnmarked\n")
                .append("@SuppressWarnings({\"all\", \"deprecation\"})\n")
                .append("public abstract class ")
                .append(name)
                .append(" implements ")
                .append(type.getName())
                .append(" {\n");
        Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                // The order of getMethods() is any, and the same input has to give the same jar.
                .sorted(Comparator.comparing(Method::toGenericString))
                .forEach(method -> text.append(stub(method)));
        Path file = folder.resolve(PACKAGE.replace('.', '/')).resolve(name + ".java");
        String whole = text.append("}\n").toString();
        Files.createDirectories(file.getParent());
        // Unchanged it keeps its time, so that nothing is compiled anew.
        if (!Files.exists(file) || !Files.readString(file).equals(whole)) {
            Files.writeString(file, whole);
        }
    }

    private static String stub(Method method) {
        StringJoiner variables = new StringJoiner(", ", "<", "> ").setEmptyValue("");
        List.of(method.getTypeParameters()).forEach(variable -> variables.add(variable.getName()));
        StringJoiner parameters = new StringJoiner(", ");
        Type[] types = method.getGenericParameterTypes();
        for (int at = 0; at < types.length; at++) {
            parameters.add(types[at].getTypeName() + " p" + at);
        }
        StringJoiner thrown = new StringJoiner(", ", " throws ", "").setEmptyValue("");
        List.of(method.getGenericExceptionTypes()).forEach(type -> thrown.add(type.getTypeName()));
        return "\n    @Override\n    public " + variables
                + method.getGenericReturnType().getTypeName() + " "
                + method.getName() + "(" + parameters + ")" + thrown + " {\n"
                + "        throw new UnsupportedOperationException(\"not part of the cycle\");\n    }\n";
    }
}
