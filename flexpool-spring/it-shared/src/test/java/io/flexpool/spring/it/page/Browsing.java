// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One application and one browser for all tests of the page, because both start slowly. Checks after each test that
 * nothing went wrong unnoticed.
 */
final class Browsing implements BeforeAllCallback, AfterEachCallback {
    static final int PHONE = 375;

    /** Longer than any machine needs, so that a condition that never holds fails the test instead of hanging it. */
    private static final int PATIENCE_MILLIS = 180_000;

    /** Where the application says that flexpool's documentation is. */
    static final String DOCUMENTATION = "https://docs.example.org/flexpool";

    private static final List<String> COMPLAINTS = new CopyOnWriteArrayList<>();
    private static final List<Request> REQUESTS = new CopyOnWriteArrayList<>();
    private static @Nullable Started started;

    /**
     * Closed when the JVM ends: JUnit's store would close it after each class, because Surefire gives a JVM that has others
     * beside it one class at a time.
     */
    private record Started(RunningPools pools, InstalledChromium chromium, BrowserContext context) {
        static Started now() {
            InstalledChromium chromium = InstalledChromium.start();
            return new Started(
                    RunningPools.start(
                            RunningPools.WRITABLE, "management.endpoint.flexpool.documentation=" + DOCUMENTATION),
                    chromium,
                    open(chromium));
        }

        void close() {
            pools.close();
            chromium.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        if (started == null) {
            Started now = Started.now();
            started = now;
            Runtime.getRuntime().addShutdownHook(new Thread(now::close, "browsing-shutdown"));
        }
    }

    /** After each test: the page never violated its policy, threw an error, wrote, or sent a request elsewhere. */
    @Override
    public void afterEach(ExtensionContext test) {
        pools().calm();
        context().pages().forEach(Page::close);
        List<String> complaints = List.copyOf(COMPLAINTS);
        List<Request> requests = List.copyOf(REQUESTS);
        COMPLAINTS.clear();
        REQUESTS.clear();
        assertThat(complaints).isEmpty();
        assertThat(requests).isNotEmpty().allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("GET");
            assertThat(request.url()).startsWith(pools().endpoint().toString());
        });
    }

    private static BrowserContext open(InstalledChromium chromium) {
        BrowserContext opened = chromium.browser()
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(1280, 900)
                        .setColorScheme(ColorScheme.LIGHT));
        opened.setDefaultTimeout(PATIENCE_MILLIS);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        opened.addInitScript(PageScripts.WATCHED);
        opened.onRequest(REQUESTS::add);
        opened.onWebError(error -> COMPLAINTS.add(error.error()));
        opened.onConsoleMessage(message -> {
            // Browsers log unreachable resources on the console themselves.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                COMPLAINTS.add(message.text());
            }
        });
        return opened;
    }

    static RunningPools pools() {
        return Objects.requireNonNull(started).pools();
    }

    private static BrowserContext context() {
        return Objects.requireNonNull(started).context();
    }

    static Page newPage() {
        return context().newPage();
    }

    /** Opens the page with a pool selected. */
    static Page page(String pool) {
        return page(newPage(), pool);
    }

    static Page page(Page page, String pool) {
        page.navigate(pools().endpoint() + "/ui");
        pool(page, pool).click();
        assertThat(page.locator("#pool-name")).hasText(pool);
        return page;
    }

    static Locator pool(Page page, String name) {
        return page.locator("#pools button", new Page.LocatorOptions().setHasText(name))
                .first();
    }

    static Locator figure(Page page, String name) {
        return page.locator("#figures ." + name + " .value");
    }

    /** Answers with a changed response of the endpoint. */
    static Consumer<Route> answering(UnaryOperator<String> changed) {
        return route -> {
            String text = route.fetch().text();
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(changed.apply(text)));
        };
    }

    /** One script is ours; any other such element came from a text. */
    static void assertInert(Page page) {
        assertThat(page.evaluate("() => window.hacked === undefined")).isEqualTo(true);
        assertThat(page.locator("script")).hasCount(1);
        assertThat(page.locator("img")).hasCount(0);
    }

    /** Discards the expected policy violation from the console messages. */
    static void assertRefusedByPolicy(Page page) {
        page.waitForCondition(() -> !COMPLAINTS.isEmpty());
        assertThat(COMPLAINTS).allMatch(text -> text.contains("Content Security Policy"));
        COMPLAINTS.clear();
    }

    /** In both colour schemes, whatever is faded. */
    static void assertReadable(Page page) {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            assertThat(((Number) page.evaluate(PageScripts.LOWEST_CONTRAST)).doubleValue())
                    .as("lowest contrast, %s", scheme)
                    .isGreaterThanOrEqualTo(4.5);
        }
    }

    static void assertFits(Page page) {
        assertThat((Integer) page.evaluate("() => document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(page.viewportSize().width);
    }
}
