// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All texts that users read are in one file, so that each change of one shows in a review. {@link Messages} says which are found.
 * The rules here are those that a machine can check; the others need a reader.
 */
class MessagesTest {
    private static final Path FILE = Reactor.ROOT.resolve("published/src/test/resources/messages.txt");
    private static final String COMMAND = "mvn verify -pl published -am -Dtest=MessagesTest -Dflexpool.write"
            + " -Dsurefire.failIfNoSpecifiedTests=false";

    private static final int MOST_WORDS = 25;

    /** What a pool, a server, a test or a thread does not do. */
    private static final Pattern PERSON = Pattern.compile(
            "(?i)\\b(says?|said|asks?|asked|looks?|looked|hears?|heard|wants?|wanted|knows|tells?|told|gives? in|goes on|go on"
                    + "|finds? out|turned away)\\b(?!\\.)");

    private static Map<String, Set<String>> messages = Map.of();

    @BeforeAll
    static void read() throws IOException {
        Map<String, Path> modules = new TreeMap<>(Reactor.published());
        // The program is built from the repository, and its texts are read like those of an artifact.
        modules.put("flexpool-cli", Reactor.ROOT.resolve("flexpool-cli"));
        messages = Messages.of(modules);
    }

    private static String file() {
        StringBuilder text =
                new StringBuilder("# All texts that users read, by module and class. Written by\n# " + COMMAND + "\n");
        messages.forEach((where, texts) -> {
            text.append("\n[").append(where).append("]\n");
            texts.forEach(each -> text.append(each).append('\n'));
        });
        return text.toString();
    }

    /** With {@code -Dflexpool.write} it writes the file. */
    @Test
    void theFileHasAllMessages() throws IOException {
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(FILE, file());
            return;
        }
        assertThat(file()).as("written by %s", COMMAND).isEqualTo(Files.readString(FILE));
    }

    @Test
    void messagesOfEachKindAreFound() {
        assertThat(messages.get("flexpool-core ConfigChecks")).isNotEmpty();
        assertThat(messages.get("flexpool-core PoolMetric")).hasSizeGreaterThan(20);
        assertThat(messages.get("flexpool-core CoreKey")).hasSizeGreaterThan(30);
        assertThat(messages.get("flexpool-metrics-jdk RegisteredPool")).isNotEmpty();
        assertThat(messages.get("flexpool-spring-boot-starter page.html")).isNotEmpty();
        assertThat(messages.get("flexpool-spring-boot-starter condition.js")).isNotEmpty();
    }

    private static List<String> breaking(Predicate<String> rule) {
        List<String> found = new ArrayList<>();
        messages.forEach((where, texts) -> texts.stream().filter(rule).forEach(text -> found.add(where + ": " + text)));
        return found;
    }

    static boolean tooLong(String text) {
        return Pattern.compile("(?<=[.!?:;])\\s+|\\\\n|\\|")
                .splitAsStream(text)
                .anyMatch(sentence -> sentence.split("\\s+").length > MOST_WORDS);
    }

    static boolean startsWithWhat(String text) {
        return Pattern.compile("(?:^|[.:] )What\\b(?!.*\\?)").matcher(text).find();
    }

    static boolean personifies(String text) {
        return PERSON.matcher(text).find();
    }

    static boolean hasDoubleSpace(String text) {
        // Patterns of foreign logs and indented lists may have them.
        return text.contains("  ") && !text.contains("\\n") && !text.matches("After  cleanup|.*:\\{}  \\{}");
    }

    /** Several sentences end with a full stop, or with something that is filled in. */
    static boolean endsOpen(String text) {
        boolean sentences = Pattern.compile("\\p{Ll}\\. \\p{Lu}").matcher(text).find();
        return sentences && !text.matches("(?s)(?:# .*|.*(?:[.?:)}!\"'…]|= ?(?:true|false)|\\\\n))$");
    }

    @Test
    void noSentenceHasMoreThanTwentyFiveWords() {
        assertThat(breaking(MessagesTest::tooLong)).isEmpty();
    }

    @Test
    void noSentenceBeginsWithWhat() {
        assertThat(breaking(MessagesTest::startsWithWhat)).isEmpty();
    }

    @Test
    void noThingSpeaksOrLooks() {
        assertThat(breaking(MessagesTest::personifies)).isEmpty();
    }

    @Test
    void noTextHasTwoBlanksInARow() {
        assertThat(breaking(MessagesTest::hasDoubleSpace)).isEmpty();
    }

    @Test
    void severalSentencesEndWithAFullStop() {
        assertThat(breaking(MessagesTest::endsOpen)).isEmpty();
    }

    /** One prefix for a pool. */
    @Test
    void noMessageBeginsWithFlexpoolAndAName() {
        assertThat(breaking(text ->
                        text.startsWith("flexpool '{}'") && !text.endsWith("first use") && !text.endsWith("({})")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two"
                        + " three four five six"
            })
    void theRulesFindWhatTheyForbid(String words) {
        assertThat(tooLong(words)).isTrue();
        assertThat(tooLong(words.replace("ten one", "ten. One"))).isFalse();
        assertThat(startsWithWhat("What is left is closed")).isTrue();
        assertThat(startsWithWhat("What happened?")).isFalse();
        assertThat(personifies("the pool says no")).isTrue();
        assertThat(personifies("the pool is unknown")).isFalse();
        assertThat(hasDoubleSpace("two  blanks")).isTrue();
        assertThat(endsOpen("It is closed. Open it")).isTrue();
        assertThat(endsOpen("It is closed. Open it.")).isFalse();
        assertThat(new TreeSet<>(messages.keySet())).isNotEmpty();
    }
}
