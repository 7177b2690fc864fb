// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The texts in the sources that people read: string expressions of Java with at least two words, the texts of the page's HTML and
 * the strings of its JavaScript. A part that is no literal is written as <code>{}</code>; of a choice both are written, as <code>{is|are}</code>.
 *
 * <p>Seen are thereby log lines, messages of exceptions, refusals, events, causes, evidence, reports, descriptions of keys, metrics
 * and MBeans, and what the program prints. Not seen are texts of one word, what is put together by several statements as
 * one text (its parts are listed apart), and the texts of drivers, pools and applications. Left out are SQL, regular expressions, names of
 * classes and files, the contract for adapters, and {@code Objects.requireNonNull} with "… is null".
 */
final class Messages {
    private static final Pattern WORDS = Pattern.compile("(?s).*\\p{L}{2,}[,:;.)]? +\\(?\\p{L}{2,}.*");
    private static final Pattern IS_NULL = Pattern.compile("[\\w.()]+ (?:is|are) null");
    /** Statements for a database or a store, queries, regular expressions, and other code inside of strings. */
    private static final Pattern CODE = Pattern.compile(
            "(?is)\\s*(?:select|insert into|update \\w+ set|delete from|create table|create schema|with \\w+ as|set session|set local|show [a-z]+$|for update"
                    + "|from |where |order by|left join|and [a-z_.]+ ?[=<>(]|\\w+\\(\\) ?[=<>]).*"
                    + "|.*(?:\\(\\?:|\\\\[sdwRb]|pg_catalog|io\\.[a-z]+\\.[a-z]+\\. |java\\.[a-z.]+\\. |com\\.[a-z]+\\.[a-z]+\\. |java\\.util\\.concurrent|java\\.io\\.|java\\.net\\.|org\\.apache\\.kafka|redis\\.clients|java\\.lang\\.|jakarta\\.mail|awssdk|sun\\.nio|font-variant|ISOLATION|INSERT IGNORE|epoch from|information_schema|performance_schema|[a-z] = \\?).*");

    /** The contract for adapters: its texts are those of failed tests. */
    private static final String TESTS = "flexpool-adapter-tck";

    private Messages() {}

    /** By module and class, sorted; each text once for each class. */
    static Map<String, Set<String>> of(Map<String, Path> modules) throws IOException {
        Map<String, Set<String>> all = new TreeMap<>();
        for (Map.Entry<String, Path> module : modules.entrySet()) {
            if (module.getKey().equals(TESTS)) {
                continue;
            }
            Path main = module.getValue().resolve("src/main");
            for (Path file : files(main, ".java")) {
                add(all, module.getKey(), main.resolve("java").relativize(file), java(file));
            }
            for (Path file : files(main.resolve("resources"), ".js")) {
                add(all, module.getKey(), file.getFileName(), script(Files.readString(file)));
            }
            for (Path file : files(main.resolve("resources"), ".html")) {
                add(all, module.getKey(), file.getFileName(), markup(Files.readString(file)));
            }
        }
        return all;
    }

    private static void add(Map<String, Set<String>> all, String module, Path file, Set<String> texts) {
        if (!texts.isEmpty()) {
            String name = file.toString().replace('\\', '/').replaceFirst("\\.java$", "");
            all.put(module + " " + name.substring(name.lastIndexOf('/') + 1), texts);
        }
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
                    .sorted()
                    .toList();
        }
    }

    // ---- Java ----

    private static Set<String> java(Path file) {
        Set<String> texts = new TreeSet<>();
        try (StandardJavaFileManager manager =
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
            Iterable<? extends JavaFileObject> sources = manager.getJavaFileObjects(file);
            JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                    .getTask(null, manager, diagnostic -> {}, List.of("-proc:none"), null, sources);
            for (CompilationUnitTree unit : task.parse()) {
                unit.accept(new Strings(texts), null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    /** Collects whole string expressions, not their parts. */
    private static final class Strings extends TreeScanner<Void, Void> {
        private final Set<String> texts;

        Strings(Set<String> texts) {
            this.texts = texts;
        }

        @Override
        public Void visitClass(ClassTree type, Void none) {
            return super.visitClass(type, null);
        }

        @Override
        public Void visitAnnotation(AnnotationTree annotation, Void none) {
            String type = annotation.getAnnotationType().toString();
            // Labels and descriptions of JFR are shown to people.
            return type.endsWith("Label") || type.endsWith("Description")
                    ? super.visitAnnotation(annotation, null)
                    : null;
        }

        @Override
        public Void visitLiteral(LiteralTree literal, Void none) {
            if (literal.getValue() instanceof String text) {
                keep(texts, text);
            }
            return null;
        }

        @Override
        public Void visitBinary(BinaryTree binary, Void none) {
            if (binary.getKind() == Tree.Kind.PLUS && isText(binary)) {
                StringBuilder text = new StringBuilder();
                write(binary, text);
                keep(texts, text.toString());
                return null;
            }
            return super.visitBinary(binary, null);
        }

        private static boolean isText(ExpressionTree tree) {
            if (tree instanceof BinaryTree binary) {
                return isText(binary.getLeftOperand()) || isText(binary.getRightOperand());
            }
            if (tree instanceof ParenthesizedTree inner) {
                return isText(inner.getExpression());
            }
            return tree instanceof LiteralTree literal && literal.getValue() instanceof String;
        }

        private void write(ExpressionTree tree, StringBuilder text) {
            if (tree instanceof BinaryTree binary && binary.getKind() == Tree.Kind.PLUS) {
                write(binary.getLeftOperand(), text);
                write(binary.getRightOperand(), text);
            } else if (tree instanceof ParenthesizedTree inner) {
                write(inner.getExpression(), text);
            } else if (tree instanceof ConditionalExpressionTree choice) {
                StringBuilder one = new StringBuilder();
                StringBuilder other = new StringBuilder();
                write(choice.getTrueExpression(), one);
                write(choice.getFalseExpression(), other);
                boolean literals = (one + "" + other).matches("(?s).*\\p{L}.*");
                text.append(literals ? "{" + one + "|" + other + "}" : "{}");
            } else if (tree instanceof LiteralTree literal) {
                text.append(literal.getValue());
            } else {
                text.append("{}");
                // A call may have texts of its own among its arguments.
                tree.accept(this, null);
            }
        }
    }

    private static void keep(Set<String> texts, String text) {
        String line = text.strip().replace("\n", "\\n").replace("\t", "\\t");
        if (WORDS.matcher(line).matches()
                && !IS_NULL.matcher(line).matches()
                && !CODE.matcher(line).matches()) {
            texts.add(line);
        }
    }

    // ---- the page ----

    private static Set<String> script(String source) {
        Set<String> texts = new TreeSet<>();
        String code = source.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("(?m)(^|\\s)//.*$", "");
        Matcher strings = Pattern.compile("'((?:[^'\\\\\\n]|\\\\.)*)'|\"((?:[^\"\\\\\\n]|\\\\.)*)\"|`([^`]*)`")
                .matcher(code);
        while (strings.find()) {
            for (int group = 1; group <= 3; group++) {
                if (strings.group(group) != null) {
                    keep(texts, strings.group(group).replace("\\u00a0", " "));
                }
            }
        }
        return texts;
    }

    private static Set<String> markup(String source) {
        Set<String> texts = new TreeSet<>();
        Matcher found = Pattern.compile(">([^<{]+)<|aria-label=\"([^\"]+)\"").matcher(source);
        while (found.find()) {
            String text = found.group(1) == null ? found.group(2) : found.group(1);
            if (!text.isBlank()) {
                texts.add(text.strip());
            }
        }
        return texts;
    }
}
