// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.quarkus.devui.tests.DevUIJsonRPCTest;
import io.quarkus.test.QuarkusDevModeTest;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page of the Dev UI is made of, in development mode: its script, and the figures that the script asks for. */
@Tag("scenario")
public class DevUiTest extends DevUIJsonRPCTest {
    @RegisterExtension
    static final QuarkusDevModeTest APPLICATION = new QuarkusDevModeTest()
            .withApplicationRoot(jar -> jar.add(new StringAsset("""
                            quarkus.devservices.enabled=false
                            quarkus.otel.sdk.disabled=true
                            quarkus.datasource.orders.db-kind=postgresql
                            quarkus.datasource.orders.jdbc.url=jdbc:postgresql://127.0.0.1:1/orders
                            quarkus.flexpool.pools.orders.base=3
                            quarkus.flexpool.ceiling=4
                            """), "application.properties"));

    public DevUiTest() {
        super("flexpool-quarkus");
    }

    @Test
    void thePageHasItsScriptAndTheFiguresOfThePools() throws Exception {
        JsonNode pools = executeJsonRPCMethod("pools");

        assertThat(pools).hasSize(1);
        assertThat(pools.get(0).get("name").asText()).isEqualTo("orders");
        assertThat(pools.get(0).get("limit").asInt()).isEqualTo(3);
        assertThat(pools.get(0).get("active").asInt()).isZero();

        HttpResponse<String> script = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://localhost:8080/q/dev-ui/flexpool-quarkus/qwc-flexpool-pools.js"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(script.statusCode()).isEqualTo(200);
        assertThat(script.body()).contains("customElements.define('qwc-flexpool-pools'");
    }

    /** The picture is in {@code target/dev-ui.png}, also if the page is not as expected. */
    @Test
    void thePageShowsThePoolsInABrowser() {
        Optional<Path> chromium = installed("chromium", "chromium-browser", "google-chrome");
        Optional<Path> node = installed("node", "nodejs");
        assumeTrue(chromium.isPresent() && node.isPresent(), "no Chromium, or no Node.js, is installed");
        Map<String, String> environment = Map.of(
                "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                "1",
                "PLAYWRIGHT_NODEJS_PATH",
                node.orElseThrow().toString());
        List<String> errors = new CopyOnWriteArrayList<>();
        try (Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
                Browser browser = playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(chromium.orElseThrow())
                                .setArgs(List.of("--disable-gpu")));
                Page page = browser.newPage(new Browser.NewPageOptions().setViewportSize(1280, 700))) {
            page.onPageError(errors::add);
            page.navigate("http://localhost:8080/q/dev-ui/flexpool-quarkus/pools");
            Locator row = page.locator("qwc-flexpool-pools tbody tr");
            try {
                assertThat(row).hasCount(1);
                assertThat(row.locator("td").nth(0)).hasText("orders");
                assertThat(row.locator("td").nth(4)).hasText("3");
            } finally {
                page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target", "dev-ui.png")));
            }
        }
        assertThat(errors).isEmpty();
    }

    private static Optional<Path> installed(String... names) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
                .flatMap(folder -> Stream.of(names).map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
