// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.PHONE;
import static io.flexpool.spring.it.page.Browsing.answering;
import static io.flexpool.spring.it.page.Browsing.assertFits;
import static io.flexpool.spring.it.page.Browsing.assertInert;
import static io.flexpool.spring.it.page.Browsing.assertRefusedByPolicy;
import static io.flexpool.spring.it.page.Browsing.newPage;
import static io.flexpool.spring.it.page.Browsing.page;
import static io.flexpool.spring.it.page.Browsing.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.flexpool.spring.it.endpoint.RunningPools;
import java.util.Map;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page shows every text as text and never runs it. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageTextTest {
    @Test
    void aPoolsNameStaysText() {
        Page page = page(RunningPools.HOSTILE);
        assertThat(page.locator("#pool-name")).hasText(RunningPools.HOSTILE);
        assertThat(page.title()).startsWith(RunningPools.HOSTILE);
        assertInert(page);
        page.reload();
        assertThat(page.locator("#pool-name")).hasText(RunningPools.HOSTILE);
    }

    /** Thread names and SQL come from the pool; a call site with markup could only come from another server. */
    @Test
    void namesOfThreadsStatementsAndPlacesStayText() throws Exception {
        String hostile = RunningPools.HOSTILE.replace("\"", "\\\"");
        Page page = newPage();
        page.setViewportSize(PHONE, 812);
        page(page, "inventory");
        pools().holdAs(RunningPools.HOSTILE, "inventory", "select '" + RunningPools.HOSTILE + "'");
        Locator holder = page.locator("#holders tbody tr");
        assertThat(holder).containsText(RunningPools.HOSTILE);
        assertThat(holder).containsText("select '<img src=x onerror");
        assertInert(page);
        assertFits(page);
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replaceAll("\"callSite\":\"[^\"]*\"", plain("\"callSite\":\"" + hostile + "\""))
                        .replaceFirst(
                                "\\{",
                                plain("{\"lastTimeout\":{\"number\":7,\"causeInWords\":\"" + hostile
                                        + "\",\"evidence\":[\"" + hostile + "\"],\"action\":\"" + hostile
                                        + "\",\"text\":\"" + hostile + "\"},"))));
        assertThat(holder.locator(".code").first()).hasText(RunningPools.HOSTILE);
        assertThat(page.locator("#explained-cause")).hasText(RunningPools.HOSTILE);
        page.locator("#explained summary").click();
        assertThat(page.locator("#explained-text")).hasText(RunningPools.HOSTILE);
        assertInert(page);
        assertFits(page);
        page.unrouteAll();
    }

    private static String plain(String replacement) {
        return Matcher.quoteReplacement(replacement);
    }

    @Test
    void markupFromATextWouldNotRun() {
        Page page = page("inventory");
        page.evaluate(PageScripts.INJECTED);
        assertThat(page.evaluate("() => window.hacked === undefined")).isEqualTo(true);
        assertRefusedByPolicy(page);
    }

    /** A page around it could move what is clicked. */
    @Test
    void noOtherPageMayShowItInAFrame() {
        Page page = newPage();
        page.route(
                "**/around",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("text/html")
                        .setBody("<!doctype html><iframe src=\"ui\"></iframe>")));
        page.navigate(pools().endpoint() + "/around");
        page.waitForCondition(
                () -> page.frames().size() == 2 && page.frames().get(1).url().startsWith("chrome-error:"));
        assertThat(page.frameLocator("iframe").locator("#pool-name")).hasCount(0);
        assertRefusedByPolicy(page);
        page.unrouteAll();
    }

    /** An application may send its own policy, and then both apply. */
    @Test
    void reportsThatItsScriptsMayNotRun() {
        Page page = newPage();
        page.route(
                "**/ui",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setResponse(route.fetch())
                        .setHeaders(
                                Map.of("Content-Type", "text/html", "Content-Security-Policy", "script-src 'self'"))));
        page.navigate(pools().endpoint() + "/ui");
        assertThat(page.locator("#silent")).containsText("scripts may not run");
        assertRefusedByPolicy(page);
        page.unrouteAll();
        page.reload();
        assertThat(page.locator("#pool-name")).isVisible();
        assertThat(page.locator("#silent")).isHidden();
    }
}
