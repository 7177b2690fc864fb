// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.Resources.SYSTEM_OUT;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The programs of the pages print the output that stands on the pages: figures differ, the words do not. */
@Timeout(300)
@ResourceLock(SYSTEM_OUT)
class ProgramsTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path SOURCES =
            Path.of("examples", "plain-jdbc", "src", "main", "java", "io", "flexpool", "examples", "plainjdbc");

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        OpenPools.list().forEach(FlexPoolDataSource::close);
    }

    /** The same program: who comes from the README finds it in the tutorial. */
    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/tutorial/plain-java.md"})
    void theFirstProgramReportsAsItIsShown(String page) throws Exception {
        Snippet program = Snippet.of(ROOT.resolve(page)).get(0);
        assertThat(program).isEqualTo(Snippet.of(ROOT.resolve("README.md")).get(0));
        List<String> shown = shown("docs/tutorial/plain-java.md", 0);
        assertThat(printed(program.compiled(folder))).containsSubsequence(shown);
        List<String> report = shown.subList(1, shown.size());
        assertThat(shown("README.md", 0)).isEqualTo(report);
        assertThat(report).containsSubsequence(shown("docs/how-to/pool-exhausted.md", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "grow.md, GrowingPool",
        "find-holders.md, OpenConnections",
        "stop-a-retry-storm.md, RetryStorm",
        "remove.md, Removal",
    })
    void theExampleOfAHowToPrintsWhatItShows(String name, String example) throws Exception {
        String page = "docs/how-to/" + name;
        String text = Files.readString(ROOT.resolve(page));
        Path source = SOURCES.resolve(example + ".java");
        assertThat(text).contains("(../../" + source.toString().replace('\\', '/') + ")");
        String code = spaceless(Files.readString(ROOT.resolve(source)));
        assertThat(blocks(text, "java"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(code).contains(spaceless(block)));
        List<String> printed = printed(Class.forName(getClass().getPackageName() + "." + example));
        // Log and output have one order each: a tick writes its line while the program prints.
        for (boolean logged : new boolean[] {true, false}) {
            Predicate<String> kind = line -> line.contains(" io.flexpool - ") == logged;
            List<String> lines = shown(page, 0).stream().filter(kind).toList();
            assertThat(printed.stream().filter(kind).toList()).containsSubsequence(lines);
        }
    }

    /** Else a test that compares nothing would look like pages without a fault. */
    @Test
    void whatAProgramDoesNotPrintIsFound() throws Exception {
        List<String> printed = printed(OpenConnections.class);
        assertThat(printed).isNotEmpty().doesNotContain("limit after the burst: N");
    }

    private static List<String> shown(String page, int block) throws IOException {
        return blocks(Files.readString(ROOT.resolve(page)), "text")
                .get(block)
                .lines()
                .map(ProgramsTest::withoutFigures)
                .toList();
    }

    /** What a main method prints and logs, line by line; it may end with the exception of an exhausted pool. */
    private static List<String> printed(Class<?> program) throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                String line = event.getLevel() + " io.flexpool - " + event.getFormattedMessage();
                line.lines().map(ProgramsTest::withoutFigures).forEach(lines::add);
            }
        };
        appender.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.flexpool");
        log.addAppender(appender);
        PrintStream before = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                lines.add(withoutFigures(line));
            }
        });
        Method main = program.getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException failed) {
            assertThat(failed.getCause())
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("request timed out");
        } finally {
            System.setOut(before);
            log.detachAppender(appender);
        }
        return List.copyOf(lines);
    }

    /** The thread of a line is the reader's own provider's; a slow machine may have a decision about the size, too. */
    private static String withoutFigures(String line) {
        return line.replaceFirst("^\\[[^]]+] ", "")
                .replaceFirst("; last recommendation: .*", ")")
                .replaceAll("[0-9]+", "N")
                .strip();
    }

    private static String spaceless(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static List<String> blocks(String page, String language) {
        try (Stream<MatchResult> found = Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(page)
                .results()) {
            return found.map(block -> block.group(1)).toList();
        }
    }
}
