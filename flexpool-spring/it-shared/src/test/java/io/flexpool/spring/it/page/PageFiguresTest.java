// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.answering;
import static io.flexpool.spring.it.page.Browsing.figure;
import static io.flexpool.spring.it.page.Browsing.newPage;
import static io.flexpool.spring.it.page.Browsing.page;
import static io.flexpool.spring.it.page.Browsing.pool;
import static io.flexpool.spring.it.page.Browsing.pools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.BoundingBox;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** That the endpoint serves the page and feeds it, in a real browser. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageFiguresTest {
    @Test
    void theFiguresFollowThePool() throws Exception {
        Page page = page("inventory");
        FlexPoolDataSource inventory = pools().pool("inventory");
        assertThat(figure(page, "active")).hasText("0");
        assertThat(figure(page, "max")).hasText("5");
        assertThat(figure(page, "limit")).hasText("–");
        pools().hold("inventory", 3);
        assertThat(figure(page, "active")).hasText("3");
        assertThat(figure(page, "idle")).hasText("2");
        assertThat(inventory.state().pool().idle()).isEqualTo(2);
        assertThat(pool(page, "inventory")).containsText("3 of 5 active");
        assertThat(page.locator("#legend")).containsText("active 3");
        // The line has gone up and goes down again.
        assertThat(page.locator("#chart-connections .line.active")).hasAttribute("d", Pattern.compile("M.*H.*V.*"));
        pools().giveBack();
        assertThat(figure(page, "active")).hasText("0");
        assertThat(page.locator("#figures .active .aside")).containsText(Pattern.compile("on average, [3-5] at most"));
        long acquired = inventory
                .statistics()
                .total()
                .acquisition(AcquisitionOutcome.OK)
                .count();
        page.locator("label", new Page.LocatorOptions().setHasText("since the start"))
                .click();
        assertThat(page.locator("#times-table tbody tr").first().locator("td").first())
                .hasText(Long.toString(acquired));
    }

    /** They are powers of ten in one unit each, and do not touch. */
    @Test
    void theTicksOfTheTimesCanBeRead() throws Exception {
        pools().hold("inventory", 1);
        pools().giveBack();
        Page page = newPage();
        page.setViewportSize(800, 900);
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replaceAll("\"p50Millis\":[^,}]+", "\"p50Millis\":0.5")
                        .replaceAll("\"maxMillis\":[^,}]+", "\"maxMillis\":150000")));
        page(page, "inventory");
        page.locator("label", new Page.LocatorOptions().setHasText("since the start"))
                .click();
        Locator ticks = page.locator("#times-axis text");
        assertThat(ticks).hasText(new String[] {"100 µs", "100 ms", "100 s"});
        double end = 0;
        for (Locator tick : ticks.all()) {
            BoundingBox box = tick.boundingBox();
            assertThat(box.x).isGreaterThan(end);
            end = box.x + box.width;
        }
        page.unrouteAll();
    }

    @Test
    void growthAndTimeoutsAppearWithinFiveSeconds() throws Exception {
        Page page = page("orders");
        assertThat(figure(page, "limit")).hasText("2");
        pools().hold("orders", 4);
        assertThatThrownBy(() -> pools().pool("orders").getConnection()).isInstanceOf(SQLException.class);
        Locator timeout = page.locator("#timeline .timeout").first();
        assertThat(timeout)
                .containsText(
                        "every connection is in use", new LocatorAssertions.ContainsTextOptions().setTimeout(5_000));
        assertThat(timeout).containsText("active 4");
        assertThat(page.locator("#timeline .resized").first())
                .containsText(Pattern.compile("Limit raised.*→ 4.*all connections are in use"));
        assertThat(figure(page, "limit")).hasText("4");
        assertThat(page.locator("#condition")).containsText("timed out in the last minute");
        assertThat(page.locator("#chart-connections .mark.timeout").first()).isVisible();
    }

    /** What the last failed request waited for is in this application: further instances would wait for it, too. */
    @Test
    void saysThatMoreInstancesWouldNotHelp() throws Exception {
        Page page = page("inventory");
        assertThat(figure(page, "active")).hasText("0");
        assertThat(page.locator("#condition")).not().containsText("instances");
        pools().hold("orders", 4);
        pools().untilExplained("orders");
        pool(page, "orders").click();
        assertThat(page.locator("#condition")).containsText("More instances would not help.");
    }
}
