// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page in a real browser, on a running application. */
@Timeout(90)
class PageTest {
    private static final int PHONE = 375;
    private static InstalledChromium chromium;
    private static RunningPools pools;

    private static final List<String> COMPLAINTS = new CopyOnWriteArrayList<>();
    private static final List<Request> REQUESTS = new CopyOnWriteArrayList<>();
    /** One for all tests: a browser takes its time to open it. */
    private static BrowserContext context;

    @BeforeAll
    static void start() {
        chromium = InstalledChromium.start();
        pools = RunningPools.start();
        context = open();
    }

    @AfterAll
    static void stop() {
        if (pools != null) {
            pools.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    /** Whatever a test did, the page never broke its own policy, threw, wrote, or asked anybody else. */
    @AfterEach
    void nothingWentWrong() {
        pools.calm();
        context.pages().forEach(Page::close);
        List<String> complaints = List.copyOf(COMPLAINTS);
        List<Request> requests = List.copyOf(REQUESTS);
        COMPLAINTS.clear();
        REQUESTS.clear();
        assertThat(complaints).isEmpty();
        assertThat(requests).isNotEmpty().allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("GET");
            assertThat(request.url()).startsWith(pools.endpoint().toString());
        });
    }

    private static BrowserContext open() {
        BrowserContext opened = chromium.browser()
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(1280, 900)
                        .setColorScheme(ColorScheme.LIGHT));
        opened.setDefaultTimeout(10_000);
        opened.addInitScript(PageScripts.WATCHED);
        opened.onRequest(REQUESTS::add);
        opened.onWebError(error -> COMPLAINTS.add(error.error()));
        opened.onConsoleMessage(message -> {
            // What cannot be reached is said on the console by the browser itself.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                COMPLAINTS.add(message.text());
            }
        });
        return opened;
    }

    private static Page page(String pool) {
        return page(context.newPage(), pool);
    }

    private static Page page(Page page, String pool) {
        page.navigate(pools.endpoint() + "/ui");
        pool(page, pool).click();
        assertThat(page.locator("#pool-name")).hasText(pool);
        return page;
    }

    private static Locator pool(Page page, String name) {
        return page.locator("#pools button", new Page.LocatorOptions().setHasText(name))
                .first();
    }

    private static Locator figure(Page page, String name) {
        return page.locator("#figures ." + name + " .value");
    }

    private static LocatorAssertions.HasTextOptions within(int millis) {
        return new LocatorAssertions.HasTextOptions().setTimeout(millis);
    }

    @Test
    void theFiguresAreThePoolsAndMoveWithIt() throws Exception {
        Page page = page("inventory");
        FlexPoolDataSource inventory = pools.pool("inventory");
        assertThat(figure(page, "active")).hasText("0");
        assertThat(figure(page, "max")).hasText("5");
        assertThat(figure(page, "limit")).hasText("–");
        pools.hold("inventory", 3);
        assertThat(figure(page, "active")).hasText("3", within(5_000));
        assertThat(figure(page, "idle")).hasText("2");
        assertThat(inventory.state().pool().idle()).isEqualTo(2);
        assertThat(pool(page, "inventory")).containsText("3 of 5 out");
        assertThat(page.locator("#legend")).containsText("active 3");
        // The line has gone up, and goes down again.
        assertThat(page.locator("#chart-connections .line.active")).hasAttribute("d", Pattern.compile("M.*H.*V.*"));
        pools.giveBack();
        assertThat(figure(page, "active")).hasText("0", within(5_000));
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

    @Test
    void growthAndATimeoutAppearWithTheirReasonsWithinFiveSeconds() throws Exception {
        Page page = page("orders");
        assertThat(figure(page, "limit")).hasText("2");
        pools.hold("orders", 4);
        assertThatThrownBy(() -> pools.pool("orders").getConnection()).isInstanceOf(SQLException.class);
        Locator timeout = page.locator("#timeline .timeout").first();
        assertThat(timeout)
                .containsText("every connection is out", new LocatorAssertions.ContainsTextOptions().setTimeout(5_000));
        assertThat(timeout).containsText("active 4");
        assertThat(page.locator("#timeline .resized").first())
                .containsText(Pattern.compile("Limit raised.*→ 4.*all connections out"));
        assertThat(figure(page, "limit")).hasText("4");
        assertThat(page.locator("#condition")).containsText("timed out in the last minute");
        assertThat(page.locator("#chart-connections .mark.timeout").first()).isVisible();
    }

    @Test
    void aLimitThatMovesOnTheSameWayIsOneEntry() {
        Page page = page("orders");
        FlexPoolDataSource orders = pools.pool("orders");
        orders.limits(7, 7);
        orders.limits(6, 6);
        orders.limits(5, 5);
        Locator lowered = page.locator("#timeline li.resized").first();
        assertThat(lowered).containsText(Pattern.compile("Limit lowered × 2.*7 → 5, asked for"));
        assertThat(page.locator("#timeline li.resized").nth(1)).containsText("→ 7");
    }

    @Test
    void anOutageIsTold() {
        Page page = page("broken");
        assertThatThrownBy(() -> pools.pool("broken").getConnection()).isInstanceOf(SQLException.class);
        assertThat(page.locator("#timeline .connect-failure").first()).containsText("SQLState 08001");
        assertThat(page.locator("#condition")).containsText("cannot be reached");
        // The driver's message holds markup, and a password.
        assertThat(page.locator("#timeline")).containsText(RunningPools.HOSTILE);
        assertInert(page);
        assertThat(page.content()).doesNotContain(RunningPools.SECRET);
    }

    /** Where figures alone would look calm: nobody waits while everybody is turned away. */
    @Test
    void anOpenCircuitIsTroubleUntilARequestIsServedAgain() throws Exception {
        Page page = page("fragile");
        Locator condition = page.locator("#condition");
        assertThat(condition).containsText("Nothing waits");
        pools.down(true);
        assertThatThrownBy(() -> pools.pool("fragile").getConnection()).isInstanceOf(SQLException.class);
        assertThat(condition).containsText("cannot be reached");
        assertThatThrownBy(() -> pools.pool("fragile").getConnection()).isInstanceOf(SQLException.class);
        assertThat(condition).containsText(Pattern.compile("circuit is open.*cannot reach the database\\. Since"));
        assertThat(condition).hasAttribute("data-state", "bad");
        pools.down(false);
        pools.untilServed("fragile");
        // At once, not when the failure has become old.
        assertThat(condition).containsText("Nothing waits");
    }

    /** What is read out changes when it becomes another, not with every figure. */
    @Test
    void theConditionIsReadOutWithoutItsFigures() throws Exception {
        Page page = page("orders");
        Locator said = page.locator("#condition [role=status]");
        assertThat(said).hasText("Nothing waits.");
        pools.hold("orders", 4);
        AtomicBoolean calm = new AtomicBoolean();
        Thread asking = new Thread(() -> {
            while (!calm.get()) {
                assertThatThrownBy(() -> pools.pool("orders").getConnection()).isInstanceOf(SQLException.class);
            }
        });
        asking.start();
        assertThat(said).hasText("Every connection is out, and requests wait.");
        assertThat(page.locator("#condition-figures")).containsText("1 waits, the oldest for");
        calm.set(true);
        asking.join();
        assertThat(said).hasText("Nothing waits.");
    }

    @Test
    void nothingIsReadWhilePausedOrHidden() throws Exception {
        Page page = context.newPage();
        page.clock().install();
        page(page, "inventory");
        Locator pause = page.locator("#pause");
        pause.click();
        assertThat(pause).hasAttribute("aria-pressed", "true");
        assertThat(page.locator("#live")).containsText("paused");
        pools.hold("inventory", 3);
        assertStandsStill(page);
        // Somebody may still look at another pool: as it is now, once.
        pool(page, "orders").click();
        assertThat(page.locator("#pool-name")).hasText("orders");
        assertThat(page.locator("#live")).containsText("paused");
        pool(page, "inventory").click();
        assertThat(figure(page, "active")).hasText("3");
        assertStandsStill(page);
        pause.click();
        assertThat(page.locator("#live")).containsText("live");
        page.evaluate(PageScripts.HIDDEN, true);
        pools.giveBack();
        // What was under way may end.
        page.waitForFunction("() => window.asking === 0");
        assertStandsStill(page);
        page.evaluate(PageScripts.HIDDEN, false);
        assertThat(figure(page, "active")).hasText("0");
    }

    /** Ten seconds of the page's own clock, in which it would have read ten times. */
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
    void theMomentUnderTheFocusStaysUntilItsUserMovesIt() throws Exception {
        Page page = page("inventory");
        Locator chart = page.locator("#chart");
        chart.focus();
        String text = chart.getAttribute("aria-valuetext");
        assertThat(text).contains("active 0");
        pools.hold("inventory", 2);
        assertThat(page.locator("#legend")).containsText("active 2");
        assertThat(chart).hasAttribute("aria-valuetext", text);
        page.keyboard().press("End");
        assertThat(chart).hasAttribute("aria-valuetext", Pattern.compile("active 2"));
        page.locator("#pause").focus();
        pools.giveBack();
        assertThat(chart).hasAttribute("aria-valuetext", Pattern.compile("active 0"));
    }

    @Test
    void aPoolsNameStaysText() {
        Page page = page(RunningPools.HOSTILE);
        assertThat(page.locator("#pool-name")).hasText(RunningPools.HOSTILE);
        assertThat(page.title()).startsWith(RunningPools.HOSTILE);
        assertInert(page);
        page.reload();
        assertThat(page.locator("#pool-name")).hasText(RunningPools.HOSTILE);
    }

    /** One script is ours; whatever else is an element of them came from a text. */
    private static void assertInert(Page page) {
        assertThat(page.evaluate("() => window.hacked === undefined")).isEqualTo(true);
        assertThat(page.locator("script")).hasCount(1);
        assertThat(page.locator("img")).hasCount(0);
    }

    /** What the endpoint says, with more in it than it says today. */
    private static Consumer<Route> with(UnaryOperator<String> more) {
        return route -> {
            String text = route.fetch().text();
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(more.apply(text)));
        };
    }

    @Test
    void holdersExplanationsAndDecisionsHaveTheirPlaceAndTheirTextsStayText() {
        String hostile = RunningPools.HOSTILE.replace("\"", "\\\"");
        Page page = page("inventory");
        for (String section : List.of("#holders", "#explanations", "#decisions")) {
            assertThat(page.locator(section)).isHidden();
        }
        page.route(
                "**/flexpool?pool=*",
                with(text -> text.replaceFirst(
                        "\\{",
                        Matcher.quoteReplacement("{\"holders\":[{\"thread\":\"" + hostile
                                + "\",\"heldMillis\":4210.5,\"statement\":\"select '" + hostile + "'\"}],"
                                + "\"explanations\":[{\"text\":\"" + hostile + "\"}],"
                                + "\"decisions\":[{\"from\":10,\"to\":12,\"text\":\"" + hostile + "\"}],"))));
        assertThat(page.locator("#holders tbody tr")).hasCount(1);
        assertThat(page.locator("#holders tbody")).containsText("select '" + RunningPools.HOSTILE + "'");
        assertThat(page.locator("#holders tbody")).containsText("4.21 s");
        assertThat(page.locator("#explanations")).containsText(RunningPools.HOSTILE);
        assertThat(page.locator("#decisions tbody")).containsText(RunningPools.HOSTILE);
        assertInert(page);
        page.setViewportSize(PHONE, 800);
        assertFits(page);
        page.unrouteAll();
    }

    @Test
    void aTextThatBecameMarkupWouldStillNotRun() {
        Page page = page("inventory");
        page.evaluate(PageScripts.INJECTED);
        assertThat(page.evaluate("() => window.hacked === undefined")).isEqualTo(true);
        // The policy has said so on the console.
        page.waitForCondition(() -> !COMPLAINTS.isEmpty());
        assertThat(COMPLAINTS).isNotEmpty().allMatch(text -> text.contains("Content Security Policy"));
        COMPLAINTS.clear();
    }

    /** An application may send a policy of its own, and then both count. */
    @Test
    void saysSoWhenItsScriptsMayNotRun() {
        Page page = context.newPage();
        page.route(
                "**/ui",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setResponse(route.fetch())
                        .setHeaders(
                                Map.of("Content-Type", "text/html", "Content-Security-Policy", "script-src 'self'"))));
        page.navigate(pools.endpoint() + "/ui");
        assertThat(page.locator("#silent")).containsText("scripts may not run");
        assertThat(COMPLAINTS).isNotEmpty().allMatch(text -> text.contains("Content Security Policy"));
        COMPLAINTS.clear();
        page.unrouteAll();
        page.reload();
        assertThat(page.locator("#pool-name")).isVisible();
        assertThat(page.locator("#silent")).isHidden();
    }

    @Test
    void saysWhenTheEndpointCannotBeReachedAndWhenItCanAgain() {
        Page page = page("inventory");
        assertThat(page.locator("#unreachable")).isHidden();
        page.route("**/flexpool*", route -> route.fulfill(new Route.FulfillOptions().setStatus(403)));
        assertThat(page.locator("#unreachable")).containsText("it answers 403");
        assertThat(page.locator("#live")).containsText("not reachable");
        page.unrouteAll();
        page.route("**/flexpool*", Route::abort);
        assertThat(page.locator("#unreachable")).containsText("no connection");
        page.unrouteAll();
        assertThat(page.locator("#unreachable")).isHidden();
        assertThat(page.locator("#live")).containsText("live");
        assertThat(figure(page, "active")).hasText("0");
    }

    @Test
    void everyTextCanBeReadInBothColourSchemes() throws Exception {
        pools.hold("orders", 4);
        assertThatThrownBy(() -> pools.pool("orders").getConnection()).isInstanceOf(SQLException.class);
        Page page = page("orders");
        assertThat(page.locator("#timeline .timeout").first()).isVisible();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            assertThat(((Number) page.evaluate(PageScripts.LOWEST_CONTRAST)).doubleValue())
                    .as("lowest contrast, %s", scheme)
                    .isGreaterThanOrEqualTo(4.5);
            String paper = (String) page.evaluate("() => getComputedStyle(document.body).backgroundColor");
            int brightness = Integer.parseInt(paper.replaceAll("^rgb\\((\\d+),.*", "$1"));
            assertThat(brightness > 128).isEqualTo(scheme == ColorScheme.LIGHT);
        }
    }

    private static void assertFits(Page page) {
        assertThat((Integer) page.evaluate("() => document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(page.viewportSize().width);
    }

    @Test
    void fitsAPhoneWithoutScrollingSideways() {
        assertThatThrownBy(() -> pools.pool("broken").getConnection()).isInstanceOf(SQLException.class);
        Page page = context.newPage();
        page.setViewportSize(PHONE, 812);
        page(page, "orders");
        for (String name : List.of("orders", "inventory", "broken", RunningPools.HOSTILE)) {
            pool(page, name).click();
            assertThat(page.locator("#pool-name")).hasText(name);
            assertFits(page);
        }
    }

    @Test
    void theKeyboardReachesEverythingAndTheFocusIsSeen() throws Exception {
        Page page = page("inventory");
        page.reload();
        assertThat(figure(page, "active")).isVisible();
        List<String> reached = new ArrayList<>();
        for (int tab = 0; tab < 12; tab++) {
            page.keyboard().press("Tab");
            Map<?, ?> focused = (Map<?, ?>) page.evaluate(PageScripts.FOCUSED);
            reached.add((String) focused.get("name"));
            assertThat(focused.get("seen"))
                    .as("focus on %s", focused.get("name"))
                    .isEqualTo(true);
            if ("recent".equals(focused.get("name"))) {
                break;
            }
        }
        assertThat(reached).first().asString().contains("Skip");
        assertThat(reached).element(1).isEqualTo("pause");
        assertThat(reached.subList(2, 8))
                .anyMatch(name -> name.startsWith("orders"))
                .anyMatch(name -> name.startsWith("broken"))
                .anyMatch(name -> name.startsWith(RunningPools.HOSTILE));
        assertThat(reached.subList(8, reached.size())).containsExactly("300000", "chart", "recent");
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
