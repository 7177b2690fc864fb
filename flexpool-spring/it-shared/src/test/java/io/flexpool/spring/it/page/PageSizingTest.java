// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.PHONE;
import static io.flexpool.spring.it.page.Browsing.answering;
import static io.flexpool.spring.it.page.Browsing.assertFits;
import static io.flexpool.spring.it.page.Browsing.assertInert;
import static io.flexpool.spring.it.page.Browsing.assertReadable;
import static io.flexpool.spring.it.page.Browsing.figure;
import static io.flexpool.spring.it.page.Browsing.page;
import static io.flexpool.spring.it.page.Browsing.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.flexpool.diagnostics.Decision;
import io.flexpool.spring.it.endpoint.Answer;
import io.flexpool.spring.it.endpoint.Load;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The mode and the sizing decisions, as the page shows them. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageSizingTest {
    /** Sent by another client: the page only reads. */
    private static void switchTo(String mode) throws Exception {
        Answer answer = Answer.post(URI.create(pools().endpoint() + "/orders"), "{\"mode\":\"" + mode + "\"}");
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void aRealDecisionIsShownWithItsVerdict() throws Exception {
        Page page = page("orders");
        assertThat(page.locator("#mode")).containsText("Mode recommend");
        switchTo("adapt");
        assertThat(page.locator("#mode")).containsText("Mode adapt");
        assertThat(page.locator("#pool-kind")).containsText("limited from 2 to 4, mode adapt");
        Decision step;
        try (Load load = pools().load("orders")) {
            assertThat(load).isNotNull();
            step = pools().untilGrown("orders");
            Locator entry = page.locator(
                    "#sizing li",
                    new Page.LocatorOptions().setHasText(step.explanation().substring(1)));
            assertThat(entry.locator(".kind")).hasText("Limit 2 → " + step.tried());
            assertThat(entry.locator(".verdict")).containsText(step.causeWord().replace('-', ' ') + ", ");
            assertThat(page.locator("#chart-connections .mark.sizing").first()).isVisible();
            assertThat(page.locator("#timeline .resized").first()).containsText("moved by the sizing controller");
            // The outcome is a sentence of the same entry.
            Decision outcome = pools().untilJudged("orders", step);
            assertThat(entry.locator(".text").last())
                    .containsText(outcome.explanation().substring(1));
            assertThat(page.locator("#sizing li[data-verdict="
                                    + outcome.verdict().toString() + "]")
                            .first())
                    .isVisible();
        }
        switchTo("recommend");
        assertThat(page.locator("#mode")).containsText("Mode recommend");
        assertThat(figure(page, "limit")).hasText("2");
    }

    private static String decision(int number, int from, int to, int tried, String cause, String verdict, String more) {
        return "{\"number\":" + number + ",\"timeEpochMillis\":" + (System.currentTimeMillis() - 60_000 + number)
                + ",\"from\":" + from + ",\"to\":" + to + ",\"tried\":" + tried + ",\"cause\":\"" + cause
                + "\",\"verdict\":\"" + verdict + "\"," + more + "}";
    }

    private static String done(int number, int from, int to, int tried, String cause, String verdict) {
        String text = "sentence " + number + " of " + RunningPools.HOSTILE.replace("\"", "\\\"");
        return decision(number, from, to, tried, cause, verdict, "\"outcome\":\"done\",\"text\":\"" + text + "\"");
    }

    /** One of every kind, with markup in it: a step with its outcome is one entry, and so is the gradual way back. */
    @Test
    void aStepAndItsOutcomeAreOneEntry() {
        List<String> decisions = new ArrayList<>(List.of(
                decision(1, 5, 8, 8, "demand", "unverified", "\"outcome\":\"reported\",\"text\":\"acting would\""),
                decision(2, 5, 5, 5, "knee", "none", "\"outcome\":\"kept\",\"text\":\"limit 5 stays\""),
                done(3, 5, 8, 8, "demand", "pending"),
                done(3, 8, 8, 8, "demand", "proven"),
                done(4, 8, 10, 10, "database-slow", "pending"),
                done(4, 10, 8, 10, "database-slow", "reverted"),
                decision(5, 8, 9, 9, "queue", "pending", "\"outcome\":\"refused\",\"text\":\"not done\""),
                done(6, 8, 7, 7, "calm", "none"),
                done(7, 7, 6, 6, "calm", "none"),
                done(8, 6, 5, 5, "calm", "none")));
        Page page = page("inventory");
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replace(
                        "\"decisions\":[],\"decisionsLeftOut\":0",
                        "\"decisions\":[" + String.join(",", decisions) + "],\"decisionsLeftOut\":950")));
        Locator entries = page.locator("#sizing li");
        assertThat(entries).hasCount(6);
        assertThat(page.locator("#sizing .kind")).hasText(new String[] {
            "Limit 8 → 5", "Limit 8 → 9", "Limit 8 → 10", "Limit 5 → 8", "Limit stays at 5", "Would try 5 → 8"
        });
        assertThat(page.locator("#sizing .verdict")).hasText(new String[] {
            "calm × 3",
            "queue, not done",
            "database slow, reverted",
            "demand, kept, proven",
            "knee",
            "demand, unverified"
        });
        assertThat(entries.nth(3).locator(".text").last()).hasText("Sentence 3 of " + RunningPools.HOSTILE + ".");
        assertThat(page.locator("#sizing-note")).hasText("950 earlier decisions are not shown here.");
        assertThat(page.locator("#chart-connections .mark.sizing")).hasCount(9);
        assertInert(page);
        assertReadable(page);
        page.setViewportSize(PHONE, 812);
        assertFits(page);
        for (int number = 9; number < 20; number++) {
            decisions.add(decision(number, 5, 5, 5, "knee", "none", "\"outcome\":\"kept\",\"text\":\"x\""));
        }
        assertThat(entries).hasCount(8);
        Locator more = page.locator("#decisions .more");
        assertThat(more).hasText("Show all 17");
        more.press("Enter");
        assertThat(entries).hasCount(17);
        page.unrouteAll();
        assertThat(page.locator("#decisions")).isHidden();
        assertThat(entries).hasCount(0);
    }
}
