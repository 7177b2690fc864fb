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

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** When the page reads and when it does not. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageReadingTest {
    @Test
    void nothingIsReadWhilePausedOrHidden() throws Exception {
        Page page = newPage();
        page.clock().install();
        page(page, "inventory");
        Locator pause = page.locator("#pause");
        pause.click();
        assertThat(pause).hasAttribute("aria-pressed", "true");
        assertThat(page.locator("#live")).containsText("paused");
        pools().hold("inventory", 3);
        assertStandsStill(page);
        // Another pool can still be selected: it is read once.
        pool(page, "orders").click();
        assertThat(page.locator("#pool-name")).hasText("orders");
        assertThat(page.locator("#live")).containsText("paused");
        pool(page, "inventory").click();
        assertThat(figure(page, "active")).hasText("3");
        assertStandsStill(page);
        pause.click();
        assertThat(page.locator("#live")).containsText("live");
        page.evaluate(PageScripts.HIDDEN, true);
        pools().giveBack();
        // A reading in progress may end.
        page.waitForFunction("() => window.asking === 0");
        assertStandsStill(page);
        page.evaluate(PageScripts.HIDDEN, false);
        assertThat(figure(page, "active")).hasText("0");
    }

    /** Ten seconds of the page's clock, in which it would have read ten times. */
    private static void assertStandsStill(Page page) {
        Object asked = page.evaluate("() => window.asked");
        page.clock().runFor(10_000);
        assertThat(page.evaluate("() => window.asked")).isEqualTo(asked);
    }

    @Test
    void oneReadingAtATime() {
        Page page = page("inventory");
        for (String name : List.of("orders", "broken", "ui", "inventory", "orders")) {
            pool(page, name).click();
            page.evaluate(PageScripts.HIDDEN, false);
        }
        assertThat(page.locator("#pool-name")).hasText("orders");
        assertThat(figure(page, "limit")).hasText("2");
        assertThat(page.evaluate("() => window.most")).isEqualTo(1);
    }

    @Test
    void untilTheFirstAnswerItShowsThatItWaits() {
        Page page = newPage();
        // It does not give up meanwhile.
        page.addInitScript("window.setTimeout = () => 0;");
        List<Route> unanswered = new CopyOnWriteArrayList<>();
        page.route("**/flexpool", unanswered::add);
        page.navigate(pools().endpoint() + "/ui");
        assertThat(page.locator("#waiting")).containsText("waits for the first answer");
        assertThat(page.locator("#waiting")).isVisible();
        unanswered.forEach(Route::resume);
        assertThat(page.locator("#shown")).isVisible();
        assertThat(page.locator("#waiting")).isHidden();
        page.unrouteAll();
    }

    @Test
    void withoutAPoolItShowsWhatToCheck() {
        Page page = newPage();
        page.route("**/flexpool", answering(text -> text.replaceFirst("\"pools\":.*$", "\"pools\":[]}")));
        page.navigate(pools().endpoint() + "/ui");
        assertThat(page.locator("#empty")).containsText("check whether flexpool.enabled is false");
        assertThat(page.locator("#empty")).isVisible();
        assertThat(page.locator("#shown")).isHidden();
        page.unrouteAll();
        assertThat(page.locator("#shown")).isVisible();
        assertThat(page.locator("#empty")).isHidden();
    }

    @Test
    void reportsAnUnreachableEndpoint() {
        Page page = page("inventory");
        assertThat(page.locator("#unreachable")).isHidden();
        page.route("**/flexpool*", route -> route.fulfill(new Route.FulfillOptions().setStatus(403)));
        assertThat(page.locator("#unreachable")).containsText("HTTP status 403");
        assertThat(page.locator("#live")).containsText("not reachable");
        page.unrouteAll();
        page.route("**/flexpool*", Route::abort);
        assertThat(page.locator("#unreachable")).containsText("no connection");
        page.unrouteAll();
        assertThat(page.locator("#unreachable")).isHidden();
        assertThat(page.locator("#live")).containsText("live");
        assertThat(figure(page, "active")).hasText("0");
    }
}
