// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.adapter.PoolAdapter.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What docs/reference/pools.md says. */
final class Document {
    private static final Path PATH = Path.of("..", "..", "docs", "reference", "pools.md");
    private static final String TABLE = "<!-- capabilities: tested against the adapters -->";
    private static final Pattern TITLE = Pattern.compile("\\[(.+)]\\(#.+\\)");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final int TITLE_CELL = 1;
    private static final int MODULE_CELL = 2;
    private static final int VERSIONS_CELL = 3;
    private static final int CAPABILITIES_CELL = 4;

    /** By the word of the table. */
    private static final Map<String, Capability> WORDS = Map.of(
            "resize", Capability.LIVE_RESIZE,
            "wake", Capability.WAKE,
            "trim", Capability.EXACT_TRIM,
            "follow", Capability.PHYSICAL_FOLLOWS_LIMIT,
            "timeout", Capability.PER_CALL_TIMEOUT,
            "pending", Capability.PENDING_COUNT,
            "connect-time", Capability.CONNECT_TIME,
            "jta", Capability.TRANSACTIONS,
            "evict", Capability.EVICT,
            "evict-leased", Capability.EVICT_LEASED);

    private Document() {}

    static String text() throws IOException {
        return Files.readString(PATH);
    }

    /** The pools of the table. */
    static List<String> pools() throws IOException {
        return rows().stream().map(Document::title).toList();
    }

    static Set<Capability> capabilities(String pool) throws IOException {
        Set<Capability> declared = EnumSet.noneOf(Capability.class);
        String cell = row(pool)[CAPABILITIES_CELL].replace("`", "");
        for (String word : cell.equals("none") ? new String[0] : cell.split(" ", -1)) {
            Capability known = WORDS.get(word);
            if (known == null || !declared.add(known)) {
                throw new IllegalStateException(pool + ": no capability, or twice: " + word);
            }
        }
        return declared;
    }

    /** The module's name after {@code flexpool-adapter-}. */
    static String module(String pool) throws IOException {
        return row(pool)[MODULE_CELL].replace("`", "").replace("flexpool-adapter-", "");
    }

    static List<String> versions(String pool) throws IOException {
        return List.of(row(pool)[VERSIONS_CELL].split(", ", -1));
    }

    /** The blocks of Java, each as the lines that import, and the rest. */
    static List<String> javaBlocks() throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher found = JAVA.matcher(text());
        while (found.find()) {
            blocks.add(found.group(1));
        }
        return blocks;
    }

    private static List<String[]> rows() throws IOException {
        List<String> lines = text().lines().toList();
        return lines.stream()
                .skip(lines.indexOf(TABLE) + 3L)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split(" *\\| *", -1))
                .toList();
    }

    private static String[] row(String pool) throws IOException {
        return rows().stream()
                .filter(row -> title(row).equals(pool))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("not in the table: " + pool));
    }

    private static String title(String[] row) {
        Matcher title = TITLE.matcher(row[TITLE_CELL]);
        if (!title.matches()) {
            throw new IllegalStateException("not a link to a section: " + row[TITLE_CELL]);
        }
        return title.group(1);
    }
}
