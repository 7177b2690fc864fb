// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verdicts that are kept. */
class VerdictsTest {
    private final AtomicInteger classified = new AtomicInteger();
    private final Verdicts verdicts = new Verdicts(sql -> {
        classified.incrementAndGet();
        return StatementClassifier.postgresql().classify(sql);
    });

    @Test
    void anEqualTextIsClassifiedOnce() {
        Verdict first = verdicts.of("set role a");
        assertThat(verdicts.of(new String("set role a".toCharArray()))).isSameAs(first);
        assertThat(classified).hasValue(1);
        assertThat(verdicts.of("select 1")).isSameAs(Verdict.HARMLESS);
    }

    @Test
    void textsWithLiteralsDoNotFillTheMemory() {
        for (int i = 0; i < 3 * Verdicts.MAX_TEXTS; i++) {
            verdicts.of("select " + i);
            assertThat(verdicts.size()).isBetween(1, Verdicts.MAX_TEXTS);
        }
        assertThat(classified).hasValue(3 * Verdicts.MAX_TEXTS);
    }

    @Test
    void manyLongTextsDoNotFillTheMemory() {
        String padding = " ".repeat(Verdicts.MAX_LENGTH - 20);
        int fit = Verdicts.MAX_CHARACTERS / Verdicts.MAX_LENGTH;
        for (int i = 0; i < 3 * fit; i++) {
            verdicts.of("select " + i + padding);
            assertThat(verdicts.size()).isBetween(1, fit + 2);
        }
    }

    @Test
    void aVeryLongTextIsNotKept() {
        String text = "select 1" + " ".repeat(Verdicts.MAX_LENGTH);
        verdicts.of(text);
        verdicts.of(text);
        assertThat(classified).hasValue(2);
        assertThat(verdicts.size()).isZero();
    }

    /** Prints the time of a hit; the aim is 15 ns. */
    @Test
    @Tag("scenario")
    void theTimeOfAKnownText() {
        String[] texts = new String[256];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "select a, b, c from orders where id = ? and kind = " + i;
            verdicts.of(texts[i]);
        }
        double best = Double.MAX_VALUE;
        int harmless = 0;
        for (int run = 0; run < 30; run++) {
            long started = System.nanoTime();
            for (int i = 0; i < 1_000_000; i++) {
                harmless += verdicts.of(texts[i & 255]).harmless() ? 1 : 0;
            }
            best = Math.min(best, (System.nanoTime() - started) / 1e6);
        }
        System.out.printf(Locale.ROOT, "a known text: %.1f ns%n", best);
        assertThat(harmless).isEqualTo(30_000_000);
        assertThat(classified).hasValue(texts.length);
    }
}
