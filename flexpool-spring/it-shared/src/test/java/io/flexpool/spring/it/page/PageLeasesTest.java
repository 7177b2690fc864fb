// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.flexpool.spring.it.page.Browsing.answering;
import static io.flexpool.spring.it.page.Browsing.page;
import static io.flexpool.spring.it.page.Browsing.pools;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.flexpool.diagnostics.Explanation;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holders, leaks and explained failures, as the page shows them. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageLeasesTest {
    @Test
    void holdersAreShownLongestFirst() throws Exception {
        Page page = page("inventory");
        Locator holders = page.locator("#holders tbody tr");
        assertThat(page.locator("#holders .note")).hasText("No open leases.");
        pools().holdAs("first", "inventory", "select 42");
        pools().holdAs("second", "inventory", "select 43");
        assertThat(holders).hasCount(2);
        assertThat(holders.first())
                .containsText(
                        Pattern.compile("first.*RunningPools\\..*holdAs.*without a statement.*\\d+\\s%.*select 42"));
        assertThat(holders.nth(1)).containsText(Pattern.compile("second.*select 43"));
        assertThat(page.locator("#holders .note")).containsText("2 open leases");
        pools().giveBack();
        assertThat(page.locator("#holders .note")).hasText("No open leases.");
        assertThat(holders).hasCount(0);
        Locator site = page.locator(
                "#sites tbody tr", new Page.LocatorOptions().setHasText(Pattern.compile("RunningPools\\..*holdAs")));
        assertThat(site.first()).isVisible();
    }

    /** A column that is there only after a look; the answer is altered, for H2 has no module that looks at it. */
    @Test
    void whatTheServerSaidIsShownBesideTheLease() throws Exception {
        Page page = page("inventory");
        pools().holdAs("first", "inventory", "select 44");
        assertThat(page.locator("#holders tbody tr")).hasCount(1);
        assertThat(page.locator("#holders thead")).not().containsText("In the server");
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replace(
                        "\"activity\":\"idle\"",
                        "\"activity\":\"idle\","
                                + "\"inServer\":{\"session\":4711,\"words\":\"idle in transaction for 14.3 s\"}")));
        assertThat(page.locator("#holders thead")).containsText("In the server");
        assertThat(page.locator("#holders tbody tr")).containsText("session 4711: idle in transaction for 14.3 s");
        page.unrouteAll();
        pools().giveBack();
    }

    @Test
    void aFewHoldersAreShownUntilExpanded() throws Exception {
        Page page = page("ui");
        pools().hold("ui", 55);
        Locator rows = page.locator("#holders tbody tr");
        assertThat(rows).hasCount(8);
        assertThat(page.locator("#holders .note")).hasText("55 open leases; the 50 oldest are shown.");
        // An activity that is not measured has no column.
        assertThat(page.locator("#holders thead th")).hasText(new String[] {"Held for", "Thread", "Call site"});
        Locator more = page.locator("#holders .more");
        assertThat(more).hasText("Show all 50");
        more.press("Enter");
        assertThat(rows).hasCount(50);
        assertThat(more).hasAttribute("aria-expanded", "true");
        more.click();
        assertThat(rows).hasCount(8);
    }

    @Test
    void aTimeoutIsExplained() throws Exception {
        Page page = page("orders");
        pools().hold("orders", 4);
        // At most one request a second is explained; others refer to it.
        pools().untilExplained("orders");
        Explanation last =
                Objects.requireNonNull(pools().pool("orders").diagnosis().lastExplanation());
        assertThat(page.locator("#explained-when")).containsText("report " + last.number());
        assertThat(page.locator("#explained-cause"))
                .hasText(Pattern.compile(
                        "orders: no connection after \\d+ ms: " + last.cause().words()));
        assertThat(page.locator("#explained-rows dt")).hasText(new String[] {"cause", "holders", "actions", "advice"});
        assertThat(page.locator("#explained-rows .holders")).containsText("4 x RunningPools.hold(");
        assertThat(page.locator("#explained-rows .advice"))
                .hasText(last.text()
                        .substring(last.text().lastIndexOf("advice") + 6)
                        .strip());
        assertThat(page.locator("#timeline .timeout").first())
                .containsText(last.cause().words());
        page.setViewportSize(1280, 250);
        Locator ofEvent = page.locator("#timeline .timeout button").first();
        assertThat(ofEvent).hasText("Report " + last.number());
        page.locator("#course").scrollIntoViewIfNeeded();
        ofEvent.click();
        assertThat(page.locator("#explained-cause")).isInViewport();
        page.locator("#explained summary").press("Enter");
        assertThat((String) page.evaluate("() => document.getElementById('explained-text').textContent"))
                .isEqualTo(last.text());
    }

    @Test
    void aCauseLeadsToItsHowTo() throws Exception {
        pools().hold("orders", 4);
        pools().untilExplained("orders");
        Page page = page("orders");
        Locator link = page.locator("#explained-help a");
        assertThat(link).hasText("“My pool is exhausted”, holders wait for a second connection");
        assertThat(link)
                .hasAttribute(
                        "href",
                        Browsing.DOCUMENTATION + "/how-to/pool-exhausted.html#2-find-your-cause"
                                + ":~:text=holders%20wait%20for%20a%20second%20connection");
        assertThat(link).hasAttribute("target", "_blank");
        // The starter omits such an address, and so does the page.
        page.route(
                "**/ui",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("text/html")
                        .setBody(route.fetch().text().replace(Browsing.DOCUMENTATION, "javascript:alert(1)"))));
        page(page, "orders");
        assertThat(page.locator("#explained-help")).containsText("docs/how-to/pool-exhausted.md");
        assertThat(link).hasCount(0);
        page.unrouteAll();
    }

    /** What stands in the ticket: the text of the log, and the address of the moment. */
    @Test
    void theReportIsCopiedWithALinkToItsMoment() throws Exception {
        pools().hold("orders", 4);
        pools().untilExplained("orders");
        Explanation last =
                Objects.requireNonNull(pools().pool("orders").diagnosis().lastExplanation());
        Page page = page("orders");
        page.evaluate("() => { navigator.clipboard.writeText = async text => { window.copied = text; }; }");
        page.locator("#copy").press("Enter");
        assertThat(page.locator("#copied")).hasText("Copied.");
        String copied = (String) page.evaluate("() => window.copied");
        String link = pools().endpoint() + "/ui#pool=orders&t=" + last.time().toEpochMilli();
        assertThat(copied).isEqualTo(last.text() + "\n" + link + "\n");
        Page other = Browsing.newPage();
        other.navigate(link);
        assertThat(other.locator("#pool-name")).hasText("orders");
        assertThat(other.locator("#moment a")).isVisible();
        assertThat(other.locator("#chart-connections .cursor")).hasCount(1);
        assertThat(other.locator("#moment a")).hasAttribute("href", Pattern.compile("#pool=orders&t=\\d+"));
    }

    @Test
    void theReportCanBeCopiedWithoutTheClipboard() throws Exception {
        pools().hold("orders", 4);
        pools().untilExplained("orders");
        Page page = page("orders");
        page.evaluate(
                "() => { navigator.clipboard.writeText = async () => { throw new Error('not allowed'); };"
                        + " document.execCommand = command => { window.selected = document.activeElement.value; return command === 'copy'; }; }");
        page.locator("#copy").click();
        assertThat(page.locator("#copied")).hasText("Copied.");
        assertThat((String) page.evaluate("() => window.selected")).startsWith("orders: no connection after ");
        page.evaluate("() => { document.execCommand = () => false; }");
        page.locator("#copy").click();
        assertThat(page.locator("#copied")).containsText("refuses to copy");
    }

    /** The answers are altered: H2 has no module for its sessions. */
    @Test
    void theBlockerIsTheFirstRow() throws Exception {
        Page page = page("inventory");
        pools().holdAs("first", "inventory", "select 1");
        pools().holdAs("second", "inventory", "select 2");
        assertThat(page.locator("#holders tbody tr")).hasCount(2);
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replaceFirst(
                                "\"activity\":\"idle\"",
                                "\"activity\":\"idle\",\"inServer\":{\"session\":12,\"blockedBy\":[11],\"words\":\"running\"}")
                        .replaceFirst(
                                "\"activity\":\"idle\",(?!\"inServer)",
                                "\"activity\":\"idle\",\"inServer\":{\"session\":11,\"blockedBy\":[],\"inTransactionMillis\":3000,"
                                        + "\"words\":\"idle in transaction\"},")));
        assertThat(page.locator("#holders tbody tr").first()).containsText("blocks 1: session 11: idle in transaction");
        assertThat(page.locator("#holders tbody tr").first()).containsText("second");
        assertThat(page.locator("#holders .note")).containsText("The oldest transaction is open for 3.00");
        assertThat(page.locator("#condition-said")).hasText("1 lease waits for a lock of another lease.");
        assertThat(page.locator("#condition-figures"))
                .containsText(Pattern.compile("blocks 1, session 11, idle in transaction, in second\\."));
        page.unrouteAll();
        pools().giveBack();
    }

    @Test
    void aLeakIsShownUntilItIsReturned() throws Exception {
        Page page = page("leaky");
        pools().hold("leaky", 1);
        assertThat(page.locator("#timeline .leak-suspected").first())
                .containsText(
                        Pattern.compile("Leak suspected.*RunningPools\\.hold"),
                        new LocatorAssertions.ContainsTextOptions().setTimeout(10_000));
        assertThat(page.locator("#condition")).containsText("1 connection may have leaked");
        assertThat(page.locator("#holders td.bad")).hasText(Pattern.compile("leak suspected"));
        pools().giveBack();
        assertThat(page.locator("#timeline .leak-resolved").first()).containsText("Leak ended: returned");
        assertThat(page.locator("#condition")).hasText("No request is waiting.");
    }
}
