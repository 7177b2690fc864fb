// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

/**
 * What a customer orders.
 *
 * @param article what, 1 to 100 characters
 * @param quantity how many, at least 1
 */
record NewOrder(String article, int quantity) {
    static final int LONGEST_ARTICLE = 100;

    NewOrder {
        if (article.isBlank() || article.length() > LONGEST_ARTICLE) {
            throw new IllegalArgumentException("article: must be 1 to " + LONGEST_ARTICLE + " characters");
        }
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity = " + quantity + ": must be at least 1");
        }
    }
}
