// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long the documents may be: words as {@code wc -w} counts them, generated tables included. A number may fall freely; one
 * that is raised needs its reason in a comment beside it.
 */
class DocumentSizesTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final long WORDS = 30_000;
    private static final long BYTES = 1_000_000;
    private static final long PICTURE_BYTES = 600_000;
    private static final long README_LINES = 90;
    private static final long CONTRIBUTING_WORDS = 400;
    private static final long DEV_WORDS = 1_200;
    private static final long DECISION_WORDS = 150;
    private static final long DECISIONS = 12;
    private static final long SPECIAL_RUNS = 10;

    /** A page with more answers several questions. The tables of the keys are written from the code. */
    private static final long PAGE_WORDS = 1_500;

    private static final long HOW_TO_LINES = 60;

    /** With 25 words more: the two keys of budgets by class; with 40 more: PgBouncer's console. */
    private static final Map<String, Long> LONGER = Map.of("reference/keys.md", 2_685L);

    private static List<Path> files(Path folder, String... endings) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .sorted()
                    .toList();
        }
    }

    private static long words(Path file) {
        return new StringTokenizer(text(file)).countTokens();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static long sum(List<Path> files, ToLongFunction<Path> size) {
        return files.stream().mapToLong(size).sum();
    }

    /** Those above the limit of a page, with their words. */
    private static Map<String, Long> tooLong(Path docs) throws IOException {
        Map<String, Long> found = new TreeMap<>();
        for (Path page : files(docs, ".md")) {
            String name = docs.relativize(page).toString().replace('\\', '/');
            long most = name.startsWith("decisions/") ? DECISION_WORDS : LONGER.getOrDefault(name, PAGE_WORDS);
            if (words(page) > most) {
                found.put(name, words(page));
            }
        }
        return found;
    }

    @Test
    void theDocumentsAreShort() throws IOException {
        assertThat(tooLong(DOCS)).isEmpty();
        assertThat(sum(files(DOCS, ".md"), DocumentSizesTest::words)).isBetween(WORDS / 2, WORDS);
        assertThat(sum(files(DOCS.resolve("dev"), ".md"), DocumentSizesTest::words))
                .isBetween(1L, DEV_WORDS);
        assertThat(words(ROOT.resolve("CONTRIBUTING.md"))).isLessThanOrEqualTo(CONTRIBUTING_WORDS);
        assertThat(text(ROOT.resolve("README.md")).lines().count()).isLessThanOrEqualTo(README_LINES);
        assertThat(files(DOCS.resolve("decisions"), ".md")).hasSizeBetween(1, (int) DECISIONS);
    }

    /** The page by symptom is a table of mistakes itself. */
    @Test
    void aHowToHasItsGoalAndItsMistakes() throws IOException {
        assertThat(files(DOCS.resolve("how-to"), ".md")).hasSizeGreaterThan(10).allSatisfy(page -> {
            List<String> lines = Files.readAllLines(page);
            assertThat(lines).hasSizeLessThanOrEqualTo((int) HOW_TO_LINES);
            assertThat(lines.get(2)).startsWith("Goal: ");
            if (!page.endsWith("troubleshooting.md")) {
                assertThat(lines).anyMatch(line -> line.contains("ommon mistakes"));
            }
        });
    }

    @Test
    void theFolderIsSmall() throws IOException {
        assertThat(sum(files(DOCS, ""), file -> file.toFile().length())).isBetween(1L, BYTES);
        assertThat(sum(files(DOCS, ".png", ".svg"), file -> file.toFile().length()))
                .isBetween(1L, PICTURE_BYTES);
    }

    /** A picture that no page shows is only weight. */
    @Test
    void everyPictureIsShown() throws IOException {
        List<Path> pages = new ArrayList<>(files(DOCS, ".md"));
        pages.add(ROOT.resolve("README.md"));
        assertThat(files(DOCS, ".png", ".svg"))
                .allSatisfy(picture -> assertThat(pages)
                        .anyMatch(page -> text(page).contains("/" + picture.getFileName() + ")")
                                || text(page).contains("(" + picture.getFileName() + ")")));
    }

    /** A profile by its id, or a property by its name. */
    @Test
    void everySpecialRunIsAProfile() throws IOException {
        List<String> lines = Files.readAllLines(DOCS.resolve("dev").resolve("README.md"));
        List<String> rows = lines.stream()
                .skip(lines.indexOf("<!-- profiles: tested against the POMs -->") + 3L)
                .takeWhile(line -> line.startsWith("| `"))
                .map(line -> line.split("`", -1)[1])
                .toList();
        String poms = String.join(
                "\n",
                files(ROOT, "pom.xml").stream()
                        .filter(pom -> !pom.toString().contains("target"))
                        .map(DocumentSizesTest::text)
                        .toList());
        assertThat(rows)
                .hasSizeBetween(1, (int) SPECIAL_RUNS)
                .allSatisfy(profile -> assertThat(poms).contains("<id>" + profile + "</id>"));
    }

    /** Else a test that counts nothing would look like short pages. */
    @Test
    void aLongPageIsFound(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("short.md"), "one\ntwo  three");
        Files.writeString(folder.resolve("long.md"), "word ".repeat(1_501));
        Files.createDirectory(folder.resolve("decisions"));
        Files.writeString(folder.resolve("decisions").resolve("01.md"), "word ".repeat(151));
        assertThat(words(folder.resolve("short.md"))).isEqualTo(3);
        assertThat(tooLong(folder)).isEqualTo(Map.of("long.md", 1_501L, "decisions/01.md", 151L));
    }
}
