// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A block of Java on a page. One that has no class of its own is wrapped into a method, with what the page says around it:
 * a data source called {@code pool}.
 */
record Snippet(String name, String source) {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^(?:public |final )*class (\\w+)", Pattern.MULTILINE);
    private static final String FRAGMENT = """
            import io.flexpool.*;
            import io.flexpool.strategy.*;
            import java.time.Duration;
            import java.util.Map;
            import javax.sql.DataSource;
            class Fragment {
                static void run(DataSource pool) throws Exception {
            // fragment
                }
            }
            """;

    /** The blocks of a page, in their order. */
    static List<Snippet> of(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page))
                .results()
                .map(block -> of(block.group(1)))
                .toList();
    }

    private static Snippet of(String block) {
        return CLASS.matcher(block)
                .results()
                .findFirst()
                .map(found -> new Snippet(found.group(1), block))
                .orElseGet(() -> new Snippet("Fragment", FRAGMENT.replace("// fragment", block)));
    }

    /**
     * Compiles it against this JVM's class path.
     *
     * @throws AssertionError with what the compiler says, if it does not compile
     */
    Class<?> compiled(Path folder) throws IOException, ReflectiveOperationException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options =
                List.of("-d", folder.toString(), "-classpath", System.getProperty("java.class.path"), "-proc:none");
        if (!compiler.getTask(said, null, null, options, null, List.of(file)).call()) {
            String numbered = source.lines().collect(Collectors.joining("\n"));
            throw new AssertionError(said + "\n" + numbered);
        }
        // Not closed: the class may load others while it is used.
        URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, Snippet.class.getClassLoader());
        return loader.loadClass(name);
    }
}
