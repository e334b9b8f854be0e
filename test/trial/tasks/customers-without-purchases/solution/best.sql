-- Every customer with the cents of all purchases that were not refunded, the most first, then by name.
SELECT customer.name, COALESCE(SUM(purchase.cents), 0) AS cents
FROM customer
LEFT JOIN purchase ON purchase.customer = customer.id AND purchase.refunded = 0
GROUP BY customer.id
ORDER BY cents DESC, customer.name;
