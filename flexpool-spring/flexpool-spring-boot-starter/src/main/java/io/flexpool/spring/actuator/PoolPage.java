// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page, assembled once from its parts: one document that loads only the endpoint's figures. Its policy allows only
 * its own script and style sheet, by their hashes, and no other origin. So even if a text from a database became
 * markup, the browser would not execute it.
 */
final class PoolPage {
    /** The directory of the parts, beside this class. */
    static final String PARTS = "io/flexpool/spring/actuator/page/*";

    /** In dependency order. */
    private static final List<String> SCRIPTS = List.of(
            "words.js",
            "chart.js",
            "reading.js",
            "events.js",
            "blocking.js",
            "condition.js",
            "now.js",
            "sizing.js",
            "advice.js",
            "course.js",
            "table.js",
            "classes.js",
            "fleet.js",
            "holders.js",
            "times.js",
            "details.js",
            "page.js");

    /** A documentation address without characters that could end an attribute. */
    private static final Pattern ADDRESS = Pattern.compile("(?:https?://|/)[\\w./:~%-]*");

    private final String html;
    private final String policy;

    private PoolPage(String html, String policy) {
        this.html = html;
        this.policy = policy;
    }

    static PoolPage load() {
        String style = part("page.css");
        String script = SCRIPTS.stream().map(PoolPage::part).collect(Collectors.joining("\n", "'use strict';\n", ""));
        String policy = "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                + " style-src " + source(style) + "; script-src " + source(script);
        String html = part("page.html")
                .replace("{{policy}}", policy)
                .replace("{{style}}", style)
                .replace("{{script}}", script);
        // Browsers accept frame-ancestors only in a header.
        return new PoolPage(html, policy + "; frame-ancestors 'none'");
    }

    /**
     * The whole document.
     *
     * @param documentation the address of flexpool's documentation, http or an absolute path; for other values the page
     *     has no links
     */
    String html(String documentation) {
        return html.replace("{{documentation}}", ADDRESS.matcher(documentation).matches() ? documentation : "");
    }

    /** The policy for the header: the document's, plus the rule that no other page may show it in a frame. */
    String policy() {
        return policy;
    }

    private static String part(String name) {
        try (InputStream in = PoolPage.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": not in the jar of the starter");
            }
            // A browser normalises line ends to this form before it computes the hash.
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The source expression of a policy for the text between two tags. */
    private static String source(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("every Java platform has SHA-256", never);
        }
    }
}
