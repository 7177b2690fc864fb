// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.PHONE;
import static io.flexpool.spring.it.page.Browsing.answering;
import static io.flexpool.spring.it.page.Browsing.assertFits;
import static io.flexpool.spring.it.page.Browsing.newPage;
import static io.flexpool.spring.it.page.Browsing.page;
import static io.flexpool.spring.it.page.Browsing.pools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.advice.PoolHistory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the page knows of the time before it was opened. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageHistoryTest {
    private static void range(Page page, String label) {
        page.locator("#course label", new Page.LocatorOptions().setHasText(label))
                .click();
    }

    /** Nobody watched, and a hundred later events have displaced those of the incident. */
    @Test
    void aPageThatIsOpenedAfterAnIncidentShowsIt() throws Exception {
        FlexPoolDataSource orders = pools().pool("orders");
        pools().hold("orders", 4);
        assertThatThrownBy(orders::getConnection).isInstanceOf(SQLException.class);
        pools().giveBack();
        for (int turn = 0; turn < 60; turn++) {
            orders.limits(3, 4);
            orders.limits(2, 2);
        }
        assertThat(orders.diagnosis().recentEvents())
                .allSatisfy(
                        recent -> assertThat(recent.event().kind().toString()).isEqualTo("resized"));
        // What the page shows as the present is calm again.
        PoolHistory history = orders.view(PoolHistory.class).orElseThrow();
        Duration incident = history.lived();
        while (history.lived().minus(incident).toSeconds() < 2) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        Page page = page("orders");
        assertThat(page.locator("#legend")).containsText("active 0");
        Locator mark = page.locator("#chart-connections .mark.timeout").first();
        assertThat(mark).isVisible();
        assertThat(mark.locator("title")).containsText(Pattern.compile("\\d+ requests? timed out"));
        // The line of the pending requests has been up and is down again.
        assertThat(page.locator("#chart-pending .line.pending"))
                .hasAttribute("d", Pattern.compile("M.*V[0-9.]+H[0-9.]+V.*"));
        page.locator("#chart").focus();
        page.keyboard().press("Home");
        int presses = 0;
        while (!page.locator("#legend").textContent().contains("failed 1")) {
            page.keyboard().press("ArrowRight");
            assertThat(++presses).isLessThan(310);
        }
        assertThat(page.locator("#legend")).containsText("active 4");
    }

    /** Answers with a history of an hour, a minute of which, forty minutes ago, was bad. */
    static UnaryOperator<String> anHour() {
        // Ten seconds without a sample are a gap. The five minutes that would follow are missing.
        String active = tens(at -> at == 20 ? "null" : isBad(at) ? "9" : "3");
        String late = tens(at -> isBad(at) ? "7" : "0");
        String part = "{\"firstSecond\":0,\"seconds\":10,\"active\":[" + active + "],\"pending\":[" + late
                + "],\"timeout\":[" + late + "]}";
        return text -> history(text, 3_300, part);
    }

    /** An answer with this part as the history of a pool that was wrapped so many seconds ago. */
    private static String history(String text, int seconds, String part) {
        Matcher time = Pattern.compile("\"timeEpochMillis\":(\\d+)").matcher(text);
        assertThat(time.find()).isTrue();
        long start = Long.parseLong(time.group(1)) - 1_000L * seconds;
        return text.replaceFirst(
                "\"history\":.*$",
                Matcher.quoteReplacement("\"history\":{\"startEpochMillis\":" + start + ",\"parts\":[" + part + "]}}"));
    }

    private static boolean isBad(int ten) {
        return ten >= 90 && ten < 96;
    }

    private static String tens(IntFunction<String> figure) {
        return IntStream.range(0, 330).mapToObj(figure).collect(Collectors.joining(","));
    }

    @Test
    void anHourCanBeLookedAt() {
        Page page = newPage();
        page.setViewportSize(PHONE, 812);
        page.route("**/flexpool?pool=*", answering(anHour()));
        page(page, "inventory");
        assertThat(page.locator("#course-note")).containsText("Earlier: 42 requests timed out from");
        Locator mark = page.locator("#chart-connections .mark-band.timeout");
        assertThat(mark).hasCount(0);
        range(page, "1 h");
        assertThat(mark).hasCount(1);
        assertThat(page.locator("#course-note")).not().containsText("Earlier");
        // Interrupted once.
        String line = page.locator("#chart-connections .line.active").getAttribute("d");
        assertThat(line.chars().filter(one -> one == 'M').count()).isEqualTo(2);
        page.locator("#chart").focus();
        page.keyboard().press("Home");
        assertThat(page.locator("#legend")).containsText("acquired 0 / s over 10 s");
        assertFits(page);
        page.unrouteAll();
    }

    /** Its configuration may have another max than the running pool, which would look like a change of size. */
    @Test
    void theMaxBeforeTheFirstConnectionIsNotShown() {
        Page page = newPage();
        page.route(
                "**/flexpool?pool=*",
                answering(text -> history(
                        text,
                        3,
                        "{\"firstSecond\":0,\"seconds\":1,\"active\":[0,0,1],\"idle\":[0,0,4],\"max\":[25,25,5]}")));
        page(page, "inventory");
        page.locator("#chart").focus();
        page.keyboard().press("Home");
        assertThat(page.locator("#legend")).containsText("idle 0");
        assertThat(page.locator("#legend")).not().containsText("pool max");
        page.keyboard().press("End");
        assertThat(page.locator("#legend")).containsText("pool max 5");
        page.unrouteAll();
    }

    @Test
    void aMomentCanBeLinkedWithThePointer() {
        Page page = page("inventory");
        Locator link = page.locator("#moment a");
        // Scrolling would move the section away from under the pointer.
        page.setViewportSize(1280, 1600);
        page.locator("#course").scrollIntoViewIfNeeded();
        page.locator("#chart").hover();
        assertThat(link).isVisible();
        page.mouse().move(2, 2);
        assertThat(link).isHidden();
        page.locator("#chart").hover();
        link.click();
        assertThat(page).hasURL(Pattern.compile("#pool=inventory&t=\\d+$"));
    }

    @Test
    void aMomentCanBeLinkedWithTheKeyboard() {
        Page page = page("inventory");
        Locator link = page.locator("#moment a");
        page.locator("#chart").focus();
        page.keyboard().press("Home");
        page.keyboard().press("Tab");
        assertThat(link).isFocused();
        // A pointer that passes does not take it away.
        page.locator("#course-title").hover();
        page.mouse().move(2, 2);
        assertThat(link).isVisible();
        page.keyboard().press("Tab");
        assertThat(link).isHidden();
        page.locator("#chart").focus();
        page.keyboard().press("Home");
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("#pool=inventory&t=\\d+$"));
    }

    /** A finger leaves the chart with each touch. */
    @Test
    void aMomentCanBeLinkedWithAFinger() {
        Page page = newPage();
        page.setViewportSize(PHONE, 812);
        page(page, "inventory");
        CDPSession browser = page.context().newCDPSession(page);
        touch(browser, page.locator("#chart"));
        Locator link = page.locator("#moment a");
        assertThat(link).isVisible();
        touch(browser, link);
        assertThat(page).hasURL(Pattern.compile("#pool=inventory&t=\\d+$"));
        browser.detach();
    }

    private static void touch(CDPSession browser, Locator on) {
        on.scrollIntoViewIfNeeded();
        BoundingBox box = on.boundingBox();
        touch(
                browser,
                "touchStart",
                "[{\"x\":" + (box.x + box.width / 2) + ",\"y\":" + (box.y + box.height / 2) + "}]");
        touch(browser, "touchEnd", "[]");
    }

    private static void touch(CDPSession browser, String type, String points) {
        JsonObject event = new JsonObject();
        event.addProperty("type", type);
        event.add("touchPoints", JsonParser.parseString(points));
        browser.send("Input.dispatchTouchEvent", event);
    }

    /** A pool that was wrapped again under the same name has another past. */
    @Test
    void theHistoryOfAnotherPoolIsForgotten() {
        Page page = page("inventory");
        assertThat(page.locator("#course-note")).not().containsText("Earlier");
        page.route("**/flexpool?pool=*", answering(anHour()));
        assertThat(page.locator("#course-note")).containsText("Earlier: 42 requests timed out from");
        page.unrouteAll();
        assertThat(page.locator("#course-note")).not().containsText("Earlier");
    }

    @Test
    void theRateSaysOverWhichTimeItIs() {
        Page page = page("inventory");
        assertThat(page.locator("#facts div").first())
                .hasText(Pattern.compile("Acquisitions ?\\S+ / s in the last (minute|\\d+ s)"));
    }
}
