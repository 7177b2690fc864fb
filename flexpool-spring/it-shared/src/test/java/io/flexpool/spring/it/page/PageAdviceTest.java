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
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many connections the pool needs, as the page shows it. */
@Timeout(300)
@ExtendWith(Browsing.class)
class PageAdviceTest {
    private static String advice(int current) {
        String curve = IntStream.rangeClosed(1, 30)
                .mapToObj(size -> "{\"connections\":" + size + ",\"p50Millis\":0.0,\"p99Millis\":"
                        + 3_000.0 / (size * size) + ",\"p999Millis\":" + 5_000.0 / size + ",\"timedOutShare\":"
                        + (size < 3 ? 0.125 : 0) + "}")
                .collect(Collectors.joining(",", "[", "]"));
        return "\"advice\":{\"status\":\"ready\",\"text\":\"You run 30 " + RunningPools.HOSTILE.replace("\"", "\\\"")
                + "\",\"connections\":18,\"current\":" + current + ",\"waitTargetMillis\":10.0,\"curve\":" + curve
                + "}";
    }

    @Test
    void withoutAnAdviceItSaysWhy() {
        Page page = page("inventory");
        assertThat(page.locator("#advice")).isHidden();
        assertThat(page.locator("#advice-shown")).isHidden();
    }

    @Test
    void theCurveIsDrawnAndWritten() {
        Page page = page("inventory");
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replaceAll("\"advice\":\\{[^}]*}", Matcher.quoteReplacement(advice(30)))));
        assertThat(page.locator("#advice-text")).hasText("You run 30 " + RunningPools.HOSTILE);
        Locator curve = page.locator("#advice-curve");
        assertThat(curve.locator("path.line")).hasCount(1);
        assertThat(curve.locator("line.recommended")).hasCount(1);
        assertThat(curve.locator("text").getByText("current 30")).isVisible();
        assertThat(curve.locator("text").getByText("recommended 18")).isVisible();
        assertThat(curve.locator("text").getByText("target")).isVisible();
        // With the keyboard alone.
        page.locator("#advice summary").press("Enter");
        assertThat(page.locator("#advice-table tbody tr")).hasCount(30);
        assertThat(page.locator("#advice-table tbody tr").nth(17)).containsText("18, recommended");
        assertThat(page.locator("#advice-table tbody tr").nth(29)).containsText("30, current");
        assertThat(page.locator("#advice-table tbody tr").first()).containsText("12.5 %");
        assertInert(page);
        assertReadable(page);
        page.setViewportSize(PHONE, 812);
        assertFits(page);
        page.setViewportSize(400, 812);
        assertFits(page);
    }

    /** Today's size stands in such an advice, and nothing recommends it. */
    @Test
    void whereNoSizeIsKnownNoneIsRecommended() {
        Page page = page("inventory");
        String unknown = advice(18).replace("\"status\":\"ready\"", "\"status\":\"ready\",\"verdict\":\"unknown\"");
        page.route(
                "**/flexpool?pool=*",
                answering(text -> text.replaceAll("\"advice\":\\{[^}]*}", Matcher.quoteReplacement(unknown))));
        Locator curve = page.locator("#advice-curve");
        assertThat(curve.locator("text").getByText("current 18")).isVisible();
        assertThat(curve.locator("line.recommended")).hasCount(0);
        assertThat(page.locator("#advice-table")).not().containsText("recommended");
    }
}
