// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.PHONE;
import static io.flexpool.spring.it.page.Browsing.assertFits;
import static io.flexpool.spring.it.page.Browsing.assertInert;
import static io.flexpool.spring.it.page.Browsing.assertReadable;
import static io.flexpool.spring.it.page.Browsing.figure;
import static io.flexpool.spring.it.page.Browsing.newPage;
import static io.flexpool.spring.it.page.Browsing.page;
import static io.flexpool.spring.it.page.Browsing.pool;
import static io.flexpool.spring.it.page.Browsing.pools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page in a real browser, on a running application. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageTest {
    @Test
    void movesInOneDirectionAreOneEntry() {
        Page page = page("orders");
        FlexPoolDataSource orders = pools().pool("orders");
        orders.limits(4, 4);
        orders.limits(3, 3);
        orders.limits(2, 2);
        Locator lowered = page.locator("#timeline li.resized").first();
        assertThat(lowered).containsText(Pattern.compile("Limit lowered × 2.*4 → 2, set manually"));
        assertThat(page.locator("#timeline li.resized").nth(1)).containsText("→ 4");
    }

    @Test
    void anOutageIsShown() {
        Page page = page("broken");
        assertThatThrownBy(() -> pools().pool("broken").getConnection()).isInstanceOf(SQLException.class);
        assertThat(page.locator("#timeline .connect-failure").first()).containsText("SQLState 08001");
        assertThat(page.locator("#condition")).containsText("cannot be reached");
        // The driver's message contains markup and a password.
        assertThat(page.locator("#timeline")).containsText(RunningPools.HOSTILE);
        assertInert(page);
        assertThat(page.content()).doesNotContain(RunningPools.SECRET);
    }

    /** Where figures alone would look calm: no request waits while all are rejected. */
    @Test
    void anOpenCircuitIsShownUntilARequestIsServed() throws Exception {
        Page page = page("fragile");
        Locator condition = page.locator("#condition");
        assertThat(condition).containsText("No request is waiting");
        pools().down(true);
        assertThatThrownBy(() -> pools().pool("fragile").getConnection()).isInstanceOf(SQLException.class);
        assertThat(condition).containsText("cannot be reached");
        assertThatThrownBy(() -> pools().pool("fragile").getConnection()).isInstanceOf(SQLException.class);
        assertThat(condition).containsText(Pattern.compile("circuit is open.*cannot reach the database\\..* Since"));
        assertThat(condition).hasAttribute("data-state", "bad");
        pools().down(false);
        pools().untilServed("fragile");
        // At once, not when the failure has aged.
        assertThat(condition).containsText("No request is waiting");
    }

    /** The sentence once had "paused" twice. */
    @Test
    void aPausedPoolIsShownUntilItIsResumed() {
        Page page = page("inventory");
        Locator condition = page.locator("#condition");
        pools().pool("inventory").pause();
        try {
            assertThat(condition).containsText("The pool is paused: requests wait until it is resumed.");
        } finally {
            pools().pool("inventory").resume();
        }
        assertThat(condition).containsText("No request is waiting");
    }

    /** The announced sentence changes with the condition, not with every figure. */
    @Test
    void theConditionIsAnnouncedWithoutItsFigures() throws Exception {
        Page page = page("orders");
        Locator said = page.locator("#condition [role=status]");
        assertThat(page.locator("#condition")).containsText("No request is waiting.");
        pools().hold("orders", 4);
        AtomicBoolean calm = new AtomicBoolean();
        Thread asking = new Thread(() -> {
            while (!calm.get()) {
                assertThatThrownBy(() -> pools().pool("orders").getConnection()).isInstanceOf(SQLException.class);
            }
        });
        asking.start();
        assertThat(said).hasText("Every connection is in use, and requests wait.");
        assertThat(page.locator("#condition-figures")).containsText("1 waits, the oldest for");
        calm.set(true);
        asking.join();
        assertThat(page.locator("#condition")).containsText("No request is waiting.");
    }

    @Test
    void theFocusedMomentStaysUntilTheUserMovesIt() throws Exception {
        Page page = page("inventory");
        Locator chart = page.locator("#chart");
        chart.focus();
        String text = chart.getAttribute("aria-valuetext");
        assertThat(text).contains("active 0");
        pools().hold("inventory", 2);
        assertThat(page.locator("#legend")).containsText("active 2");
        assertThat(chart).hasAttribute("aria-valuetext", text);
        page.keyboard().press("End");
        assertThat(chart).hasAttribute("aria-valuetext", Pattern.compile("active 2"));
        page.locator("#pause").focus();
        pools().giveBack();
        assertThat(chart).hasAttribute("aria-valuetext", Pattern.compile("active 0"));
    }

    @Test
    void everyTextCanBeReadInBothColourSchemes() throws Exception {
        pools().hold("orders", 4);
        assertThatThrownBy(() -> pools().pool("orders").getConnection()).isInstanceOf(SQLException.class);
        Page page = page("orders");
        assertThat(page.locator("#timeline .timeout").first()).isVisible();
        assertReadable(page);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            String paper = (String) page.evaluate("() => getComputedStyle(document.body).backgroundColor");
            int brightness = Integer.parseInt(paper.replaceAll("^rgb\\((\\d+),.*", "$1"));
            assertThat(brightness > 128).isEqualTo(scheme == ColorScheme.LIGHT);
        }
        // The last figures are all that is known then.
        page.route("**/flexpool*", Route::abort);
        assertThat(page.locator("#unreachable")).isVisible();
        assertReadable(page);
        page.unrouteAll();
    }

    @Test
    void fitsAPhoneWithoutScrollingSideways() {
        assertThatThrownBy(() -> pools().pool("broken").getConnection()).isInstanceOf(SQLException.class);
        Page page = newPage();
        page.setViewportSize(PHONE, 812);
        page(page, "orders");
        for (String name : List.of("orders", "inventory", "broken", RunningPools.HOSTILE)) {
            pool(page, name).click();
            assertThat(page.locator("#pool-name")).hasText(name);
            assertFits(page);
        }
    }

    /** What Tab reaches, one after the other, up to the range of the times. */
    private static List<String> tabs(Page page) {
        List<String> reached = new ArrayList<>();
        for (int tab = 0; tab < 20 && !reached.contains("recent"); tab++) {
            page.keyboard().press("Tab");
            Map<?, ?> focused = (Map<?, ?>) page.evaluate(PageScripts.FOCUSED);
            reached.add((String) focused.get("name"));
            assertThat(focused.get("seen"))
                    .as("focus on %s", focused.get("name"))
                    .isEqualTo(true);
        }
        return reached;
    }

    @Test
    void theKeyboardReachesTheReportAndWhatBelongsToIt() throws Exception {
        FlexPoolDataSource orders = pools().pool("orders");
        pools().hold("orders", 4);
        pools().untilExplained("orders");
        pools().giveBack();
        Page page = page("orders");
        String report = "Report "
                + Objects.requireNonNull(orders.diagnosis().lastExplanation()).number();
        Locator ofEvent = page.locator("#timeline button").first();
        assertThat(ofEvent).hasText(report);
        page.locator("#explained-when a").focus();
        assertThat(tabs(page))
                .containsSubsequence("copy", report, "300000", "chart", "recent")
                .anyMatch(name -> name.startsWith("Report as text"));
        // Further events do not take the focus away.
        ofEvent.focus();
        String before = page.locator("#timeline").textContent();
        orders.limits(3, 3);
        assertThat(page.locator("#timeline")).not().hasText(before);
        assertThat(ofEvent).isFocused();
    }

    @Test
    void theKeyboardReachesEverything() {
        Page page = page("inventory");
        page.reload();
        assertThat(figure(page, "active")).isVisible();
        List<String> reached = tabs(page);
        assertThat(reached).first().asString().contains("Skip");
        assertThat(reached).element(1).isEqualTo("pause");
        assertThat(reached.subList(2, 9))
                .anyMatch(name -> name.startsWith("orders"))
                .anyMatch(name -> name.startsWith("broken"))
                .anyMatch(name -> name.startsWith(RunningPools.HOSTILE));
        assertThat(reached.subList(9, reached.size())).containsExactly("300000", "chart", "recent");
        page.keyboard().press("ArrowRight");
        assertThat(page.locator("input[name=span]:checked")).hasValue("total");
        page.locator("#chart").focus();
        page.keyboard().press("Home");
        assertThat(page.locator("#chart")).hasAttribute("aria-valuenow", "1");
        assertThat(page.locator("#chart-connections .cursor")).hasCount(1);
        page.keyboard().press("Escape");
        assertThat(page.locator("#chart-connections .cursor")).hasCount(0);
        pool(page, "orders").focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("#pool-name")).hasText("orders");
        assertThat(pool(page, "orders")).isFocused();
        assertThat(pool(page, "orders")).hasAttribute("aria-current", "true");
    }

    @Test
    void printsDarkOnWhiteWithoutControls() {
        Page page = page("inventory");
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT).setColorScheme(ColorScheme.DARK));
        assertThat(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(255, 255, 255)");
        assertThat(page.evaluate("() => getComputedStyle(document.body).color")).isEqualTo("rgb(0, 0, 0)");
        assertThat(page.locator("#pools")).isHidden();
        assertThat(page.locator("#pause")).isHidden();
        assertThat(figure(page, "active")).isVisible();
    }
}
