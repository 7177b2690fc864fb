// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotAnimations;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * With {@code -Dpictures.write}: the picture of {@code docs/reference/endpoint.md} and the README, of the page as it is after two
 * minutes of a shop with a busy hour, a slow mail server and an outage.
 */
@EnabledIfSystemProperty(named = "pictures.write", matches = "true")
class PagePicturesTest {
    private static final Path FOLDER = Path.of("../../docs/spring");

    @Test
    void writesThePicture() throws Exception {
        try (Shop shop = new Shop();
                InstalledChromium chromium = InstalledChromium.start()) {
            shop.opensFor(30);
            TimeUnit.SECONDS.sleep(20);
            shop.opensFor(25);
            TimeUnit.SECONDS.sleep(25);
            shop.mailTakes(2_500);
            TimeUnit.SECONDS.sleep(7);
            shop.mailTakes(45);
            TimeUnit.SECONDS.sleep(12);
            shop.databaseDown(true);
            TimeUnit.SECONDS.sleep(8);
            shop.databaseDown(false);
            TimeUnit.SECONDS.sleep(20);
            top(page(shop, chromium, 1280));
        }
    }

    private static Page page(Shop shop, InstalledChromium chromium, int width) {
        Page page = chromium.browser()
                .newPage(
                        new Browser.NewPageOptions().setViewportSize(width, 900).setLocale("en"));
        page.navigate(shop.page().toString());
        Browsing.pool(page, "orders").click();
        assertThat(page.locator("#pool-name")).hasText("orders");
        page.locator("label", new Page.LocatorOptions().setHasText("1 min")).click();
        return page;
    }

    /** As far as the explanation of the last failure. */
    private static void top(Page page) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        page.setViewportSize(1280, 1260);
        page.evaluate("window.scrollTo(0, 0)");
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(FOLDER.resolve("page-top.png"))
                .setAnimations(ScreenshotAnimations.DISABLED));
    }
}
