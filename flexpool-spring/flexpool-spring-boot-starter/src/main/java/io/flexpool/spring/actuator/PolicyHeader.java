// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Puts the page's policy on the answer to the request under way: an answer of the actuator has no headers of its own, and
 * only of a header a browser takes who may show a page in a frame. Where no servlet answers (WebFlux) nothing is put, and
 * the page has just the policy in its document.
 */
final class PolicyHeader {
    private static final String NAME = "Content-Security-Policy";
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletResponse")
            && isPresent("org.springframework.web.context.request.ServletRequestAttributes");

    private PolicyHeader() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, PolicyHeader.class.getClassLoader());
    }

    static void put(String policy) {
        if (SERVLET) {
            OfServlet.put(policy);
        }
    }

    /** Loaded only where its types are. */
    private static final class OfServlet {
        static void put(String policy) {
            HttpServletResponse response =
                    RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
                            ? request.getResponse()
                            : null;
            if (response != null) {
                response.setHeader(NAME, policy);
            }
        }
    }
}
