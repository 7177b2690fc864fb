// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.PHONE;
import static io.flexpool.spring.it.page.Browsing.answering;
import static io.flexpool.spring.it.page.Browsing.assertFits;
import static io.flexpool.spring.it.page.Browsing.assertInert;
import static io.flexpool.spring.it.page.Browsing.assertReadable;
import static io.flexpool.spring.it.page.Browsing.page;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool shares with others, as the page shows it: its fleet and its server. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageFleetTest {
    /** As long as a member's name may be. */
    private static final String HOSTILE = (RunningPools.HOSTILE + "x".repeat(100)).substring(0, 100);

    /** Twelve members: the first is named like an attack, the second is this pool, the last is silent. */
    private static String fleet() {
        String shown = IntStream.rangeClosed(1, 12)
                .mapToObj(at -> "{\"name\":\"" + (at == 1 ? HOSTILE.replace("\"", "\\\"") : "inventory@pod-" + at)
                        + "\",\"granted\":" + (20 - at) + ",\"held\":" + (30 - at) + ",\"wanted\":25,\"ageMillis\":1500"
                        + ",\"silent\":" + (at == 12) + "}")
                .collect(Collectors.joining(",", "[", "]"));
        return "\"fleet\":{\"name\":\"shop\",\"member\":\"inventory@pod-2\",\"source\":\"share\",\"granted\":18,"
                + "\"wanted\":25,\"held\":28,\"members\":11,\"free\":-3,\"cap\":97,\"trouble\":\"the store cannot be asked"
                + " (SQLException)\",\"shown\":" + shown + "},"
                + "\"sessions\":{\"text\":\"inventory: ceiling 50 x 3 instances = 150 connections: they exceed; 3 instances of '"
                + RunningPools.HOSTILE.replace("\"", "\\\"")
                + "' hold 41 now\",\"fit\":\"over\",\"byApplication\":{}},";
    }

    @Test
    void aPoolThatSharesNothingShowsNothing() {
        Page page = page("inventory");
        assertThat(page.locator("#setup")).isVisible();
        assertThat(page.locator("#fleet")).isHidden();
    }

    @Test
    void theMembersAreATableAndTheirNamesAreText() {
        Page page = page("inventory");
        page.route("**/flexpool?pool=*", answering(text -> text.replace("\"advice\":{", fleet() + "\"advice\":{")));
        assertThat(page.locator("#fleet-text"))
                .hasText(
                        "This pool may open 18 of the fleet’s 97 connections (its static share), needs 25, holds 28. 11 members, -3 free. The"
                                + " store cannot be asked (SQLException).");
        // The pool's name is not changed, not even at the beginning of a sentence.
        assertThat(page.locator("#sessions-text")).hasText(Pattern.compile("^inventory: .*' hold 41 now\\.$"));
        assertThat(page.locator("#sessions-text")).hasClass("bad");
        Locator rows = page.locator("#fleet tbody tr");
        assertThat(rows).hasCount(8);
        assertThat(rows.nth(0)).containsText(HOSTILE);
        assertThat(rows.nth(1)).containsText("inventory@pod-2 (this pool)");
        assertThat(rows.nth(1).locator("td"))
                .hasText(new String[] {"inventory@pod-2 (this pool)", "18", "28", "25", "1.50 s before", "live"});
        // With the keyboard alone.
        page.locator("#fleet .more").press("Enter");
        assertThat(rows).hasCount(12);
        assertThat(rows.nth(11)).containsText("lease ended");
        assertInert(page);
        assertReadable(page);
        for (int width : new int[] {400, PHONE}) {
            page.setViewportSize(width, 812);
            assertFits(page);
        }
    }
}
