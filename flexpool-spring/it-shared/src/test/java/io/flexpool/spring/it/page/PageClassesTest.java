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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The classes of a pool's requests, as the page shows them. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageClassesTest {
    /** A class's name cannot be like this; the page does not rely on it. */
    private static final String CLASSES = "\"classes\":["
            + "{\"name\":\"interactive\",\"guaranteed\":15,\"leased\":12,\"waiting\":0,\"acquired\":1234,\"timeouts\":0,\"shed\":0,"
            + "\"recentWaitP99Millis\":0.0},"
            + "{\"name\":\"batch\",\"guaranteed\":5,\"max\":8,\"leased\":8,\"waiting\":32,\"acquired\":51,\"timeouts\":3,\"shed\":7,"
            + "\"recentWaitP99Millis\":2400.0},"
            + "{\"name\":\"" + RunningPools.HOSTILE.replace("\"", "\\\"")
            + "\",\"guaranteed\":0,\"leased\":0,\"waiting\":0,"
            + "\"acquired\":0,\"timeouts\":0,\"shed\":0}],";

    @Test
    void aPoolWithOneClassForAllShowsNone() {
        Page page = page("inventory");
        assertThat(page.locator("#setup")).isVisible();
        assertThat(page.locator("#classes")).isHidden();
    }

    @Test
    void theClassesAreATableAndTheirNamesAreText() {
        Page page = page("inventory");
        page.route("**/flexpool?pool=*", answering(text -> text.replace("\"advice\":{", CLASSES + "\"advice\":{")));
        Locator rows = page.locator("#classes tbody tr");
        assertThat(rows).hasCount(3);
        assertThat(page.locator("#classes th")).hasText(new String[] {
            "Class", "Holds", "Max", "Guarantee", "Wait now", "Wait, p99", "Acquired", "Timed out", "Shed"
        });
        assertThat(rows.nth(0).locator("td"))
                .hasText(new String[] {"interactive", "12", "any", "15", "0", "0", "1,234", "0", "0"});
        assertThat(rows.nth(1).locator("td"))
                .hasText(new String[] {"batch", "8", "8", "5", "32", "2.40 s", "51", "3", "7"});
        assertThat(rows.nth(2)).containsText(RunningPools.HOSTILE);
        assertThat(rows.nth(2).locator("td").nth(5)).hasText("–");
        assertInert(page);
        assertReadable(page);
        for (int width : new int[] {400, PHONE}) {
            page.setViewportSize(width, 812);
            assertFits(page);
        }
    }
}
