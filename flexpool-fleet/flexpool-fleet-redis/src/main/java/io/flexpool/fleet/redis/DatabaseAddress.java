// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts and ports in a JDBC URL. Without the database's name, because the number of connections is the server's; and with
 * no text that could be part of a user or a password, because others can read it in a fleet's store.
 */
final class DatabaseAddress {
    /** As drivers write it in a descriptor: {@code (HOST=db1)(PORT=1521)}. */
    private static final Pattern DESCRIBED = Pattern.compile("\\b(host|port)\\s*=\\s*([\\w.-]+)");

    private static final Pattern HOST = Pattern.compile("([\\w.\\\\-]+|\\[[\\da-f:]+])(:\\d+)?");
    /** {@code host:port:sid} of Oracle. */
    private static final Pattern SID = Pattern.compile("(:\\d+):.*");

    private DatabaseAddress() {}

    /**
     * The address in a URL.
     *
     * @param url as a driver reports it; null if it reports none
     * @return hosts and ports in lower case, separated by commas; empty if the URL shows none, as of an embedded database
     */
    static String of(@Nullable String url) {
        String text = url == null ? "" : url.toLowerCase(Locale.ROOT);
        List<String> found = new ArrayList<>();
        Matcher described = DESCRIBED.matcher(text);
        while (text.contains("(") && described.find()) {
            found.add(described.group(2));
        }
        if (found.isEmpty()) {
            for (String each : authority(text).split(",", -1)) {
                String host = SID.matcher(each).replaceFirst("$1");
                if (HOST.matcher(host).matches()) {
                    found.add(host);
                }
            }
        }
        return String.join(",", found);
    }

    /** The text between the slashes and the database's name, or after the last at sign, without parameters. */
    private static String authority(String url) {
        String plain = url.split("[?;]", 2)[0];
        int slashes = plain.indexOf("//");
        int at = plain.lastIndexOf('@');
        if (slashes < 0 && at < 0) {
            return "";
        }
        String rest = plain.substring(Math.max(slashes < 0 ? 0 : slashes + 2, at + 1));
        return rest.split("/", 2)[0];
    }
}
