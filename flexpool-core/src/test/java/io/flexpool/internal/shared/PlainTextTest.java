// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "\r",
                "\t",
                "\u0000",
                "\u001b",
                "\u007f",
                "\u0085",
                "\u009b",
                "\u2028",
                "\u2029",
                "\u200e",
                "\u200f",
                "\u202a",
                "\u202e",
                "\u2066",
                "\u2069",
                "\u061c",
                "\ufeff",
                "\u00ad",
                "\udb40\udc41",
                "\ud800",
                "\udc00"
            })
    void whatIsNotSeenIsABlank(String hidden) {
        assertThat(PlainText.line("a" + hidden + "b")).isEqualTo("a" + " ".repeat(hidden.length()) + "b");
        assertThat(PlainText.isLine("a" + hidden + "b")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "Grüße, 世界",
                "\ud83d\ude00 smiles",
                "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                "a  b"
            })
    void whatIsSeenStays(String text) {
        assertThat(PlainText.line(text)).isEqualTo(text);
        assertThat(PlainText.isLine(text)).isTrue();
    }

    @Test
    void aSecretOverSeveralLinesIsMasked() {
        assertThat(PlainText.line("password =\n canary\nuser = x")).isEqualTo("password =  *** user = x");
    }

    /** Cut first: what a text costs, and how much of a log it fills, is not its writer's choice. */
    @Test
    void aLongTextIsCut() {
        assertThat(PlainText.line("x".repeat(100_000), 200)).isEqualTo("x".repeat(200) + "…");
        assertThat(PlainText.line("x".repeat(200), 200)).isEqualTo("x".repeat(200));
        assertThat(PlainText.line("x".repeat(100_000))).hasSize(Secrets.LONGEST + 1);
    }

    @Test
    void aCutLeavesNoHalfOfACharacter() {
        assertThat(PlainText.line("a\ud83d\ude00b", 2)).isEqualTo("a …");
    }

    @Test
    void aCutInASecretShowsNothingOfIt() {
        assertThat(PlainText.line("GET jdbc:x://user:canary@host", 22)).isEqualTo("GET jdbc:x://***…");
    }

    @Test
    void whatIsCleanedTwiceIsCleanedOnce() {
        String once = PlainText.line(
                "{\"password\":\"can ary\",\"a\":1}\n//u:canary@h thin:scott/canary@h --password canary x");
        assertThat(once).doesNotContain("can");
        assertThat(PlainText.line(once)).isEqualTo(once);
    }
}
