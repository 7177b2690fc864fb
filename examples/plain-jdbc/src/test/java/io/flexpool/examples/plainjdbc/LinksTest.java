// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The links between the Markdown pages, as a Git host shows them: files exist, headings too, and each page can be reached. */
@Timeout(300)
class LinksTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("]\\(([^()\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *#*$");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *(```+|~~~+).*?^ *\\1 *$");

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> problems = new ArrayList<>();
        int links = 0;
        for (Path page : pages(ROOT)) {
            links += links(page).size();
            problems.addAll(problems(page));
        }
        assertThat(problems).isEmpty();
        assertThat(links).isGreaterThan(300);
    }

    /** From the README, for that is where a reader begins. */
    @Test
    void everyPageIsReachedFromTheReadme() throws IOException {
        Set<Path> reached = new HashSet<>();
        Deque<Path> open = new ArrayDeque<>(List.of(ROOT.resolve("README.md")));
        while (!open.isEmpty()) {
            Path page = open.remove();
            if (reached.add(page)) {
                for (String link : links(page)) {
                    Path target = target(page, link);
                    if (Files.isRegularFile(target) && target.toString().endsWith(".md")) {
                        open.add(target);
                    }
                }
            }
        }
        Set<Path> unreached = new TreeSet<>(pages(ROOT));
        unreached.removeAll(reached);
        assertThat(unreached).isEmpty();
    }

    /** Else a test that finds nothing would look like pages without a fault. */
    @Test
    void aLinkToNothingIsFound(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), """
                # A `page` of two words
                ## Twice
                ## Twice
                [here](#a-page-of-two-words) [second](page.md#twice-1) [host](https://localhost/none)
                [file](none.md) [heading](#three-words) <img src="none.png">
                ```text
                [shown](only.md)
                ```
                """);
        assertThat(problems(page))
                .containsExactly(
                        "page.md: none.md leads to no file",
                        "page.md: #three-words leads to no heading",
                        "page.md: none.png leads to no file");
    }

    private static List<Path> pages(Path root) throws IOException {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"));
                Stream<Path> results = Files.list(root.resolve("benchmarks/results"))) {
            return Stream.of(top, docs, results)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static String text(Path page) throws IOException {
        return FENCE.matcher(Files.readString(page)).replaceAll("");
    }

    /** Without those to other hosts. */
    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(text(page))
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    private static Path target(Path page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    private static List<String> problems(Path page) throws IOException {
        List<String> problems = new ArrayList<>();
        for (String link : links(page)) {
            Path target = target(page, link);
            int anchor = link.indexOf('#');
            if (!Files.exists(target)) {
                problems.add(page.getFileName() + ": " + link + " leads to no file");
            } else if (anchor >= 0 && !anchors(target).contains(link.substring(anchor + 1))) {
                problems.add(page.getFileName() + ": " + link + " leads to no heading");
            }
        }
        return problems;
    }

    /** As Git hosts make them: of a heading that stands twice the second has a number. */
    private static Set<String> anchors(Path page) throws IOException {
        Map<String, Integer> seen = new TreeMap<>();
        Set<String> anchors = new HashSet<>();
        for (MatchResult heading : HEADING.matcher(text(page)).results().toList()) {
            String anchor = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }
}
