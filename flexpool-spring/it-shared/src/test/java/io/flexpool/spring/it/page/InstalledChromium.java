// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A headless Chromium driven by Node.js, both as installed here: nothing is downloaded. If one of the two is missing,
 * the tests are skipped with a message.
 */
final class InstalledChromium implements AutoCloseable {
    private final Playwright playwright;
    private final Browser browser;

    private InstalledChromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    static InstalledChromium start() {
        Optional<Path> chromium = installed("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
        Optional<Path> node = installed("node", "nodejs");
        assumeTrue(chromium.isPresent(), "no Chromium is installed: the page is not tested in a browser");
        assumeTrue(
                node.isPresent(), "no Node.js is installed, which drives the browser: the page is not tested in one");
        Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of(
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1",
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.get().toString())));
        Browser browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium.get())
                        // Else a machine without one imitates it with its processors.
                        .setArgs(List.of("--disable-gpu"))
                        .setHeadless(true));
        return new InstalledChromium(playwright, browser);
    }

    /** The first of these programs that is on the {@code PATH}. */
    static Optional<Path> installed(String... names) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(names)
                .flatMap(name -> Pattern.compile(Pattern.quote(File.pathSeparator))
                        .splitAsStream(path)
                        .filter(folder -> !folder.isBlank())
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
